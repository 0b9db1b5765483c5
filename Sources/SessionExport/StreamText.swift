import JSONScan

/// A part of a text that an agent sends in several updates: of a message, of the output of a terminal, or of a tool call's
/// content. Pure.
struct TextChunk {
    /// The kind of the update, the session, and the id of the message, the compaction, the terminal or the tool call.
    let stream: [String]
    /// The text's token in the line.
    let range: Range<Int>
    /// The decoded text.
    let text: [UInt8]
    /// The token is in Base64.
    private let isBase64: Bool

    init?(_ notification: JSONValue) {
        guard let params = notification["params"], let update = params["update"],
            let kind = update["sessionUpdate"]?.stringValue,
            let (token, id) = Self.token(of: update, kind),
            let text = kind == Self.terminalKind ? token.base64Bytes : token.stringBytes
        else { return nil }
        stream = [kind, params["sessionId"]?.stringValue ?? "", id?.stringValue ?? ""]
        range = token.rawText.indices
        self.text = text
        isBase64 = kind == Self.terminalKind
    }

    private static let terminalKind = "terminal_output_chunk"

    private static func token(of update: JSONValue, _ kind: String) -> (JSONValue, id: JSONValue?)? {
        switch kind {
        case terminalKind: update["data"].map { ($0, update["terminalId"]) }
        case "tool_call_content_chunk": update["content"]?["content"]?["text"].map { ($0, update["toolCallId"]) }
        case "agent_thought_chunk", "compaction_summary_chunk",
            _ where kind.hasSuffix("message_chunk"):
            update["content"]?["text"].map { ($0, update["messageId"] ?? update["compactionId"]) }
        default: nil
        }
    }

    /// - Parameter text: The text without its secrets.
    func encoded(_ text: [UInt8]) -> [UInt8] { isBase64 ? Self.base64(text) : text }

    static func base64(_ text: [UInt8]) -> [UInt8] {
        var encoded: [UInt8] = []
        Base64Text.encode(text, to: &encoded)
        return encoded
    }
}

/// The joined chunks of one stream, with the places of their secrets. Pure.
struct StreamText {
    private var text: [UInt8]
    /// The bytes before this one were in lines that were returned earlier.
    private let start: Int
    /// The bytes before this one are in lines that are returned now.
    private var released: Int
    /// The places before which other lines were.
    private var breaks: [Int] = []
    private var lastLine: Int?
    private var hidden: [Range<Int>] = []
    /// The place of the next chunk, and the first hidden range that does not end before it.
    private var next = (chunk: 0, hidden: 0)

    /// - Parameter earlier: ``end`` of the lines before.
    init(after earlier: [UInt8]) {
        text = earlier
        (start, released) = (earlier.count, earlier.count)
        next.chunk = earlier.count
    }

    mutating func add(_ chunk: [UInt8], line: Int, isReleased: Bool) {
        if lastLine.map({ $0 + 1 }) != line { breaks.append(text.count) }
        lastLine = line
        text += chunk
        if isReleased { released = text.count }
    }

    /// Finds the secrets of the whole text. A secret can also begin where the text before it seems to continue: after a message
    /// that ends with a letter. So each stretch without other lines is searched by itself, too.
    ///
    /// - Returns: The number of secrets that begin in lines that are returned now.
    mutating func search(_ redaction: Redaction) -> Int {
        var found = redaction.ranges(in: text)
        for (from, to) in zip(breaks, breaks.dropFirst() + [text.count]) where from > 0 || to < text.count {
            found += redaction.ranges(in: Array(text[from..<to]))
                .map { ($0.lowerBound + from)..<($0.upperBound + from) }
        }
        hidden = Redaction.merged(found)
        return hidden.count { (start..<released).contains($0.lowerBound) }
    }

    /// The next chunk without its secrets; nil if it has none. A mark is in the chunk in which the hidden text begins.
    mutating func takePart(_ count: Int) -> [UInt8]? {
        let whole = next.chunk..<(next.chunk + count)
        next.chunk = whole.upperBound
        while next.hidden < hidden.count, hidden[next.hidden].upperBound <= whole.lowerBound { next.hidden += 1 }
        let marks = hidden[next.hidden...].prefix { $0.lowerBound < whole.upperBound }.map { range in
            let inside = range.clamped(to: whole)
            let mark = range.lowerBound >= whole.lowerBound ? Array(Redaction.mark.utf8) : []
            return (range: (inside.lowerBound - whole.lowerBound)..<(inside.upperBound - whole.lowerBound), with: mark)
        }
        return marks.isEmpty ? nil : JSONStrings.replacing(Array(text[whole]), marks)
    }

    /// The bytes with which the chunks after the returned ones are searched. If a secret is not complete there, its beginning,
    /// so that its rest is recognized however long it is.
    var end: [UInt8] {
        if let open = hidden.first(where: { $0.upperBound >= released }), open.lowerBound < released {
            let beginning = open.lowerBound + Self.memoryBytes
            return Array(text[max(0, open.lowerBound - Self.memoryBytes)..<min(beginning, released)])
        }
        return Array(text[..<released].suffix(Self.memoryBytes))
    }

    /// 2 KiB before and after the beginning of a secret: more than any form needs to be recognized.
    private static let memoryBytes = 2 << 10
}
