import JSONScan

/// Hides secrets in the lines of an NDJSON export. Every line stays valid JSON.
///
/// Each string is searched. An agent sends a message in chunks, and a secret can begin in one chunk and end in the next. So
/// the chunks of one stream (``TextChunk``) are searched as one text. Other updates, such as the usage, can come between two
/// chunks; an entry ends all streams. Output of terminals (ACP version 2) is searched in its decoded form.
package struct LineRedactor {
    private let redaction: Redaction
    /// The lines from the first chunk on, which wait for further chunks: see ``textLimitBytes``.
    private var waiting: [Line] = []
    /// Bytes of the lines and of their chunks' texts that have arrived since lines were last returned.
    private var new = (lines: 0, texts: 0)
    /// The ends of the texts whose lines were returned, by stream.
    private var earlier: [[String]: [UInt8]] = [:]
    /// The number of hidden texts so far.
    package private(set) var count = 0

    /// Chunks wait until their streams end, or until there are 1 MiB of new text. Then the lines before the last 16 KiB of
    /// text are returned. A token is shorter than that, so no part of it is returned before the whole is seen.
    private static let textLimitBytes = 1 << 20
    private static let keptTextBytes = 16 << 10
    /// 16 MiB of lines. A line is at least some hundred bytes, even if its chunk has one byte, and 16 KiB of such chunks fit.
    private static let lineLimitBytes = 16 << 20
    /// 1,000 streams at a time. Beyond these, no stream is remembered when its lines are returned early.
    private static let streamLimit = 1_000

    package init(_ redaction: Redaction) { self.redaction = redaction }

    /// - Parameter line: One line without its line feed.
    /// - Returns: The lines that are complete, in their order.
    package mutating func add(_ line: [UInt8]) -> [[UInt8]] {
        guard !redaction.isEmpty else { return [line] }
        let line = Line(line)
        guard !line.isEntry else { return finish() + [redacted(line.bytes, except: nil)] }
        guard line.chunk != nil || !waiting.isEmpty else { return [redacted(line.bytes, except: nil)] }
        waiting.append(line)
        new.lines += line.bytes.count
        new.texts += line.chunk?.text.count ?? 0
        guard new.texts > Self.textLimitBytes || new.lines > Self.lineLimitBytes else { return [] }
        return release(waiting.count - keptCount)
    }

    /// Hides the secrets of a text that is not part of a line.
    package mutating func hidden(_ text: String) -> String {
        guard let hidden = redaction.hiding(in: Array(text.utf8)) else { return text }
        count += hidden.count
        return String(decoding: hidden.text, as: UTF8.self)
    }

    /// Returns the lines that waited.
    package mutating func finish() -> [[UInt8]] {
        defer { earlier = [:] }
        return release(waiting.count)
    }

    /// The number of last lines that continue to wait.
    private var keptCount: Int {
        var (texts, lines, count) = (0, 0, 0)
        for line in waiting.reversed() {
            lines += line.bytes.count
            guard texts < Self.keptTextBytes, lines <= Self.lineLimitBytes else { break }
            texts += line.chunk?.text.count ?? 0
            count += 1
        }
        return count
    }

    /// Returns the first lines.
    private mutating func release(_ lineCount: Int) -> [[UInt8]] {
        new = (0, 0)
        guard !waiting.isEmpty else { return [] }
        var texts = searched(releasing: lineCount)
        let lines = waiting[..<lineCount].map { line in
            guard let chunk = line.chunk else { return redacted(line.bytes, except: nil) }
            let text = texts[chunk.stream]?.takePart(chunk.text.count).map(chunk.encoded)
            return redacted(line.bytes, except: (chunk.range, text))
        }
        waiting.removeFirst(lineCount)
        if earlier.count + texts.count > Self.streamLimit { earlier = [:] }
        for (stream, text) in texts.prefix(Self.streamLimit) { earlier[stream] = text.end }
        return lines
    }

    /// Joins the chunks of each stream and finds their secrets.
    private mutating func searched(releasing lineCount: Int) -> [[String]: StreamText] {
        var texts: [[String]: StreamText] = [:]
        for (index, line) in waiting.enumerated() {
            guard let chunk = line.chunk else { continue }
            texts[chunk.stream, default: StreamText(after: earlier[chunk.stream] ?? [])]
                .add(chunk.text, line: index, isReleased: index < lineCount)
        }
        for stream in texts.keys { count += texts[stream]?.search(redaction) ?? 0 }
        return texts
    }

    /// - Parameter except: The token of a chunk's text, which was searched before, and its new text if it has one.
    private mutating func redacted(_ line: [UInt8], except: (range: Range<Int>, text: [UInt8]?)?) -> [UInt8] {
        var replacements: [(range: Range<Int>, with: [UInt8])] = []
        for token in JSONStrings.all(in: line) {
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
        if !token.isName, Self.isProtocolWord(contents, of: name) { return nil }
        guard let text = try? JSONValue(validating: Array(line[token.range])).stringBytes else { return nil }
        // Without the protocols' own names, no program could read the export.
        let usesRules = !token.isName || !contents.allSatisfy(Self.isNameByte)
        if let hidden = redaction.hiding(in: text, usesRules: usesRules) {
            count += hidden.count
            return hidden.text
        }
        // The output of a terminal.
        guard name == "data", let value = try? JSONValue(validating: Array(line[token.range])),
            let hidden = value.base64Bytes.flatMap({ redaction.hiding(in: $0) })
        else { return nil }
        count += hidden.count
        return TextChunk.base64(hidden.text)
    }

    private static func json(_ text: [UInt8]) -> [UInt8] { JSONWriter.scalar(String(decoding: text, as: UTF8.self)) }

    /// These members have words of the protocols as values. Without the words, no program could read the export.
    private static let protocolNames: Set<String> = ["jsonrpc", "kind", "method", "sessionUpdate", "ts", "type"]

    private static func isProtocolWord(_ contents: ArraySlice<UInt8>, of name: String) -> Bool {
        protocolNames.contains(name) && contents.allSatisfy(isProtocolByte)
    }

    /// The protocols' own names of members have only letters and low lines.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "_"): true
        default: false
        }
    }

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
        /// Nil if the line has no chunk of a text.
        let chunk: TextChunk?
        let isEntry: Bool

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            let notification = (try? JSONValue(validating: bytes))?["notification"]
            isEntry = notification == nil
            chunk = notification.flatMap(TextChunk.init)
        }
    }
}
