import JSONScan

/// Hides secrets in the lines of an NDJSON export. Every line stays valid JSON.
///
/// Each string that is not a member's name is searched. An agent sends a message in chunks, and a secret can begin in one
/// chunk and end in the next. So the chunks of one message are searched as one text. Other updates, such as the usage, can
/// come between two chunks; an entry ends the message. Output of terminals (ACP version 2) is searched in its decoded form.
package struct LineRedactor {
    private let redaction: Redaction
    /// The lines from the first chunk of a message on, which wait for its next chunk.
    private var waiting: [Line] = []
    private var waitingBytes = 0
    /// The message of the chunks in ``waiting``.
    private var message: [String]?
    /// The number of hidden texts so far.
    package private(set) var count = 0

    /// A message waits until it ends or has this size; then its next chunk begins another text. No token is that long.
    private static let waitingLimitBytes = 1 << 20

    package init(_ redaction: Redaction) { self.redaction = redaction }

    /// - Parameter line: One line without its line feed.
    /// - Returns: The lines that are complete, in their order.
    package mutating func add(_ line: [UInt8]) -> [[UInt8]] {
        guard !redaction.isEmpty else { return [line] }
        let line = Line(line)
        let continues = !line.isEntry && (line.chunk == nil || line.chunk?.message == message)
        let done = continues && waitingBytes <= Self.waitingLimitBytes ? [] : finish()
        guard line.chunk != nil || !waiting.isEmpty else { return done + [redacted(line.bytes, except: nil)] }
        if let chunk = line.chunk { message = chunk.message }
        waiting.append(line)
        waitingBytes += line.bytes.count
        return done
    }

    /// Hides the secrets of a text that is not part of a line.
    package mutating func hidden(_ text: String) -> String {
        guard let hidden = redaction.hiding(in: Array(text.utf8)) else { return text }
        count += hidden.count
        return String(decoding: hidden.text, as: UTF8.self)
    }

    /// Returns the lines that waited.
    package mutating func finish() -> [[UInt8]] {
        defer { (waiting, waitingBytes, message) = ([], 0, nil) }
        guard !waiting.isEmpty else { return [] }
        let hidden = redaction.ranges(in: waiting.flatMap { $0.chunk?.text ?? [] })
        count += hidden.count
        var start = 0
        return waiting.map { line in
            guard let chunk = line.chunk else { return redacted(line.bytes, except: nil) }
            defer { start += chunk.text.count }
            let text = Self.part(chunk.text, at: start, hiding: hidden)
            return redacted(line.bytes, except: (chunk.range, text))
        }
    }

    /// The hidden parts of one chunk's text. A mark is in the chunk in which the hidden text begins.
    private static func part(_ text: [UInt8], at start: Int, hiding hidden: [Range<Int>]) -> [UInt8]? {
        let whole = start..<(start + text.count)
        let marks = hidden.filter { $0.overlaps(whole) }.map { range in
            let inside = range.clamped(to: whole)
            let mark = range.lowerBound >= start ? Array(Redaction.mark.utf8) : []
            return (range: (inside.lowerBound - start)..<(inside.upperBound - start), with: mark)
        }
        return marks.isEmpty ? nil : JSONStrings.replacing(text, marks)
    }

    /// - Parameter except: The token of a chunk's text, which was searched before, and its new text if it has one.
    private mutating func redacted(_ line: [UInt8], except: (range: Range<Int>, text: [UInt8]?)?) -> [UInt8] {
        var replacements: [(range: Range<Int>, with: [UInt8])] = []
        for token in JSONStrings.values(in: line) {
            if let except, except.range == token.range {
                if let text = except.text { replacements.append((token.range, Self.json(text))) }
            } else if let text = redacted(token, in: line) {
                replacements.append((token.range, Self.json(text)))
            }
        }
        return JSONStrings.replacing(line, replacements)
    }

    private mutating func redacted(_ token: JSONStrings.Token, in line: [UInt8]) -> [UInt8]? {
        let name = String(decoding: token.name, as: UTF8.self)
        let contents = line[token.range].dropFirst().dropLast()
        if Self.protocolNames.contains(name), contents.allSatisfy(Self.isProtocolByte) { return nil }
        guard let text = try? JSONValue(validating: Array(line[token.range])).stringBytes else { return nil }
        if let hidden = redaction.hiding(in: text) {
            count += hidden.count
            return hidden.text
        }
        // The output of a terminal.
        guard name == "data", let value = try? JSONValue(validating: Array(line[token.range])),
            let hidden = value.base64Bytes.flatMap({ redaction.hiding(in: $0) })
        else { return nil }
        count += hidden.count
        var encoded: [UInt8] = []
        Base64Text.encode(hidden.text, to: &encoded)
        return encoded
    }

    private static func json(_ text: [UInt8]) -> [UInt8] { JSONWriter.scalar(String(decoding: text, as: UTF8.self)) }

    /// These members have words of the protocols as values. Without the words, no program could read the export.
    private static let protocolNames: Set<String> = ["jsonrpc", "kind", "method", "sessionUpdate", "ts", "type"]

    private static func isProtocolByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7a, 0x30...0x39, UInt8(ascii: "_"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: ":"),
            UInt8(ascii: "-"), UInt8(ascii: "T"), UInt8(ascii: "Z"):
            true
        default: false
        }
    }

    private struct Line {
        let bytes: [UInt8]
        /// Nil if the line has no chunk of a message.
        let chunk: Chunk?
        let isEntry: Bool

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            let notification = (try? JSONValue(validating: bytes))?["notification"]
            isEntry = notification == nil
            chunk = notification.flatMap(Chunk.init)
        }
    }

    /// A chunk of a message.
    private struct Chunk {
        /// The kind of the update, the session and the id of the message or the compaction.
        let message: [String]
        /// The text's token in the line.
        let range: Range<Int>
        /// The decoded text.
        let text: [UInt8]

        init?(_ notification: JSONValue) {
            guard let params = notification["params"], let update = params["update"],
                let kind = update["sessionUpdate"]?.stringValue,
                kind.hasSuffix("message_chunk") || kind == "agent_thought_chunk" || kind == "compaction_summary_chunk",
                let token = update["content"]?["text"], let text = token.stringBytes
            else { return nil }
            let id = update["messageId"] ?? update["compactionId"]
            message = [kind, params["sessionId"]?.stringValue ?? "", id?.stringValue ?? ""]
            range = token.rawText.indices
            self.text = text
        }
    }
}
