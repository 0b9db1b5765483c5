/// A message or thought that is sent chunk by chunk.
package struct TextStream: Sendable {
    package enum Kind: String, Sendable { case message = "agent_message_chunk", thought = "agent_thought_chunk" }

    /// The remaining text.
    package enum Rest: Equatable, Sendable {
        /// A number of chunks, each with `sizeBytes` bytes if that is set.
        case chunks(Int, sizeBytes: Int?)
        /// A number of words, three per chunk.
        case words(Int)
        /// At least this number of chunks, and then the rest of the sentence.
        case passage(minimumChunks: Int)
        /// The given text, four words per chunk.
        case text(Substring)
    }

    package let kind: Kind
    package let messageID: String
    package private(set) var rest: Rest

    package init(kind: Kind, messageID: String, rest: Rest) {
        self.kind = kind
        self.messageID = messageID
        self.rest = rest
    }

    /// Returns the next chunk; nil at the end.
    package mutating func next(from prose: inout Prose) -> String? {
        switch rest {
        case .chunks(0, _), .words(0), .text(""):
            return nil
        case .chunks(let count, let sizeBytes):
            rest = .chunks(count - 1, sizeBytes: sizeBytes)
            if let sizeBytes { return String(decoding: prose.chunk(byteCount: sizeBytes), as: UTF8.self) }
            return count == 1 ? Self.ended(prose.chunk()) : String(decoding: prose.chunk(), as: UTF8.self)
        case .words(let count):
            let taken = min(3, count)
            rest = .words(count - taken)
            return taken == count ? Self.ended(prose.words(taken)) : String(decoding: prose.words(taken), as: UTF8.self)
        case .passage(let minimumChunks):
            return nextOfPassage(minimumChunks, &prose)
        case .text(let text):
            let chunk = Self.firstWords(4, of: text)
            rest = .text(text[chunk.endIndex...])
            return String(chunk)
        }
    }

    private mutating func nextOfPassage(_ minimumChunks: Int, _ prose: inout Prose) -> String? {
        var text: [UInt8] = []
        repeat { prose.appendWord(to: &text) } while text.count < 12 && !prose.isBetweenSentences
        let isLast = minimumChunks <= 1 && prose.isBetweenSentences
        rest = isLast ? .chunks(0, sizeBytes: nil) : .passage(minimumChunks: minimumChunks - 1)
        return isLast ? Self.ended(text) : String(decoding: text, as: UTF8.self)
    }

    /// Replaces the space after the last word with a full stop.
    private static func ended(_ text: [UInt8]) -> String {
        var text = text
        while let last = text.last, last == 0x20 || last == 0x0a || last == UInt8(ascii: ",") { text.removeLast() }
        if text.last != UInt8(ascii: ".") { text.append(UInt8(ascii: ".")) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func firstWords(_ count: Int, of text: Substring) -> Substring {
        var end = text.startIndex
        for _ in 0..<count {
            end = text[end...].firstIndex { !$0.isWhitespace } ?? text.endIndex
            end = text[end...].firstIndex { $0.isWhitespace } ?? text.endIndex
        }
        return text[..<end]
    }
}
