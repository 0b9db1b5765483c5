import JSONScan

/// A document that can match a query. The text must be read again from the log.
package struct SearchCandidate: Sendable, Equatable {
    /// Grows with the time of the text. Names a position in a list of hits.
    package let id: Int64
    package let sid: Int64
    /// The numbers of the first and the last item on the timeline.
    package let first: Int64
    package let last: Int64

    package init(id: Int64, sid: Int64, first: Int64, last: Int64) {
        (self.id, self.sid, self.first, self.last) = (id, sid, first, last)
    }

    /// 2020. Small ids make a small index.
    static let epochSeconds: Int64 = 1_577_836_800
    /// 1,024 documents per second, of which each has the id of its millisecond or a following one; more take the ids of the
    /// following seconds.
    static let idBits: Int64 = 10

    /// The second in which the text was written, from 1970. It can be a few seconds late.
    package var seconds: Int64 { (id >> Self.idBits) + Self.epochSeconds }
}

/// A place that a query has found.
package struct SearchHit: Sendable, Equatable {
    package let kind: SearchedText.Kind
    /// The number, on the timeline, of the item in which the first match begins.
    package let n: Int64
    /// The number of that update, or of the last update before that entry.
    package let seq: Int64
    /// Milliseconds since 1970.
    package let ts: Int64
    package let snippet: SearchSnippet

    /// 64 items: an agent repeats a prompt as a message of the user soon after it has got it.
    private static let repetitionDistance: Int64 = 64

    /// Whether the hit is in the agent's own report of a prompt that is found itself. Agents of version 2 of ACP report each
    /// prompt. The hits must be of one session.
    package func repeats(_ prompt: SearchHit) -> Bool {
        kind == .userMessage && prompt.kind == .prompt && snippet == prompt.snippet
            && (1...Self.repetitionDistance).contains(n - prompt.n)
    }
}

/// The text around the first match. Pure.
package struct SearchSnippet: Sendable, Equatable {
    /// The strings at odd positions match the query; the others are the text around them.
    package let parts: [String]

    /// Unicode scalars before the first match.
    private static let leadCharacters = 60
    /// Unicode scalars in total.
    package static let limitCharacters = 240

    /// - Parameter marked: a prepared text in which SQLite has marked the matches.
    /// - Returns: the snippet, and the offset of the first match in the text itself, in UTF-8 bytes. Nil if nothing is
    ///   marked.
    static func around(firstMatchIn marked: String) -> (snippet: SearchSnippet, offset: Int)? {
        let scalars = marked.unicodeScalars
        guard let match = scalars.firstIndex(of: SearchTokens.matchStart) else { return nil }
        let before = scalars[..<match].filter { !SearchTokens.isSeparator($0) }
        let offset = before.reduce(0) { $0 + UTF8.width($1) }
        let lead = (before.count > leadCharacters ? "…" : "") + text(before.suffix(leadCharacters))
        var builder = Builder(parts: [lead], room: limitCharacters - min(before.count, leadCharacters))
        for scalar in scalars[scalars.index(after: match)...] where !builder.isFull { builder.add(scalar) }
        return (builder.finish(), offset)
    }

    private struct Builder {
        var parts: [String]
        var room: Int
        private var part = String.UnicodeScalarView()

        init(parts: [String], room: Int) { (self.parts, self.room) = (parts, room) }

        var isFull: Bool { room < 0 }

        mutating func add(_ scalar: Unicode.Scalar) {
            guard !SearchTokens.isSeparator(scalar) else { return }
            // A part ends where a match begins or ends.
            guard scalar != SearchTokens.matchStart, scalar != SearchTokens.matchEnd else { return endPart() }
            part.append(room > 0 ? scalar : "…")
            room -= 1
        }

        consuming func finish() -> SearchSnippet {
            if !part.isEmpty { endPart() }
            return SearchSnippet(parts: parts)
        }

        private mutating func endPart() {
            parts.append(String(part))
            part = String.UnicodeScalarView()
        }
    }

    private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }

    package func write(to writer: inout JSONWriter) {
        for part in parts { writer.element(part) }
    }
}
