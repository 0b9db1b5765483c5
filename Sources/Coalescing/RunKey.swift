import JSONScan

/// The kinds of update that arrive in chunks, each of which continues the previous one.
public enum ChunkKind: UInt8, Sendable, CaseIterable {
    case agentMessage, agentThought, userMessage

    /// The name of the kind in ACP's `sessionUpdate`.
    public var name: StaticString {
        switch self {
        case .agentMessage: "agent_message_chunk"
        case .agentThought: "agent_thought_chunk"
        case .userMessage: "user_message_chunk"
        }
    }

    /// - Parameter range: The range of the string in `line`, including quotes. Escapes are decoded.
    init?(at range: Range<Int>, in line: Span<UInt8>) {
        guard let kind = Self.allCases.first(where: { line.holdsString($0.name, at: range) }) else { return nil }
        self = kind
    }
}

/// The properties that updates of one run share: their kind and their message.
public struct RunKey: Equatable, Sendable {
    public let kind: ChunkKind
    /// The JSON text of `messageId`, or empty when there is none.
    public let messageId: [UInt8]

    public init(kind: ChunkKind, messageId: [UInt8] = []) {
        self.kind = kind
        self.messageId = messageId
    }
}

extension Span<UInt8> {
    /// Whether the value at `range` is a string that decodes to `word`. `word` needs no escapes.
    fileprivate func holdsString(_ word: StaticString, at range: Range<Int>) -> Bool {
        if range.count == word.utf8CodeUnitCount + 2 { return holds(word, at: range.lowerBound + 1) }
        // Each byte of a word can be written as an escape of six bytes.
        guard range.count > word.utf8CodeUnitCount, range.count <= 6 * word.utf8CodeUnitCount + 2,
            let text = try? JSONValue(validating: extracting(range)).stringValue
        else { return false }
        return text.utf8.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    private func holds(_ word: StaticString, at start: Int) -> Bool {
        for index in 0..<word.utf8CodeUnitCount {
            // The pointer of a `StaticString` literal is valid for its whole length and never expires.
            guard self[start + index] == word.utf8Start[index] else { return false }
        }
        return true
    }

    func isEqual(to bytes: [UInt8]) -> Bool {
        guard count == bytes.count else { return false }
        for index in indices where self[index] != bytes[index] { return false }
        return true
    }

    func bytes(in range: Range<Int>) -> [UInt8] { extracting(range).withUnsafeBufferPointer { Array($0) } }
}
