import JSONScan

/// Hides secrets in the lines of an NDJSON export. Every line stays valid JSON.
///
/// Each string that is not a member's name is searched. An agent sends a message in chunks, and a secret can begin in one
/// chunk and end in the next. So consecutive chunks of one message are searched as one text. Output of terminals (ACP
/// version 2) is searched in its decoded form.
package struct LineRedactor {
    private let redaction: Redaction
    /// Lines of one message that wait for its next chunk.
    private var waiting: [Chunk] = []
    private var waitingBytes = 0
    /// The number of hidden texts so far.
    package private(set) var count = 0

    /// A message waits until it ends or has this size; then its next chunk begins another text. No token is that long.
    private static let waitingLimitBytes = 1 << 20

    package init(_ redaction: Redaction) { self.redaction = redaction }

    /// - Parameter line: One line without its line feed.
    /// - Returns: The lines that are complete, in their order.
    package mutating func add(_ line: [UInt8]) -> [[UInt8]] {
        guard !redaction.isEmpty else { return [line] }
        guard let chunk = Chunk(line) else { return finish() + [redacted(line, except: nil)] }
        var done: [[UInt8]] = []
        if let last = waiting.last, last.message != chunk.message || waitingBytes > Self.waitingLimitBytes {
            done = finish()
        }
        waiting.append(chunk)
        waitingBytes += line.count
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
        defer { (waiting, waitingBytes) = ([], 0) }
        guard !waiting.isEmpty else { return [] }
        let hidden = redaction.ranges(in: waiting.flatMap(\.text))
        count += hidden.count
        var start = 0
        return waiting.map { chunk in
            defer { start += chunk.text.count }
            let text = Self.part(chunk.text, at: start, hiding: hidden)
            return redacted(chunk.line, except: (chunk.range, text))
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

    /// One line with a chunk of a message.
    private struct Chunk {
        let line: [UInt8]
        /// The kind of the update, the session and the id of the message.
        let message: [String]
        /// The text's token in the line.
        let range: Range<Int>
        /// The decoded text.
        let text: [UInt8]

        init?(_ line: [UInt8]) {
            guard let params = (try? JSONValue(validating: line))?["notification"]?["params"],
                let update = params["update"], let kind = update["sessionUpdate"]?.stringValue,
                kind.hasSuffix("message_chunk") || kind == "agent_thought_chunk",
                let token = update["content"]?["text"], let text = token.stringBytes
            else { return nil }
            self.line = line
            message = [kind, params["sessionId"]?.stringValue ?? "", update["messageId"]?.stringValue ?? ""]
            range = token.rawText.indices
            self.text = text
        }
    }
}
