import JSONScan
import TestSupport
import Testing

@testable import SessionExport

private let hostile = #"<script>alert(1)</script>&\"'"#

private func line(_ kind: String, _ content: String, second: Int = 0) -> [UInt8] {
    let name = kind == "update" ? "notification" : "data"
    return Array(#"{"seq":1,"ts":"2026-01-31T10:30:0\#(second).000Z","kind":"\#(kind)","\#(name)":\#(content)}"#.utf8)
}

private func update(_ update: String, second: Int = 0) -> [UInt8] {
    line(
        "update", #"{"method":"session/update","params":{"sessionId":"s","update":\#(update)}}"#, second: second)
}

private func chunk(_ text: String, _ kind: String = "agent_message_chunk") -> [UInt8] {
    update(#"{"sessionUpdate":"\#(kind)","content":{"type":"text","text":"\#(text)"}}"#)
}

private let session: [[UInt8]] = [
    line("prompt", ##"{"sessionId":"s","prompt":[{"type":"text","text":"# Hi \##(hostile)"}]}"##),
    chunk("Hel"), chunk("lo\\n\(hostile)"), chunk("hm", "agent_thought_chunk"),
    update(
        #"{"sessionUpdate":"tool_call","toolCallId":"t","title":"Read \#(hostile)","status":"completed","#
            + #""content":[{"type":"content","content":{"type":"text","text":"```\#(hostile)"}}]}"#, second: 2),
    line("turn_end", #"{"stopReason":"end_turn"}"#, second: 3),
]

private let head = ExportHead(agent: "codex", sessionId: "s", title: "A <b>title</b> # `x`", cwd: "/src")

private func document(_ document: some ExportDocument, _ lines: [[UInt8]] = session) -> String {
    var document = document
    let bytes = document.begin(head) + lines.flatMap { document.add($0) } + document.finish()
    return String(decoding: bytes, as: UTF8.self)
}

@Suite struct ExportDocumentTests {
    @Test func htmlHasNoTagsFromTheSession() {
        let html = document(HTMLDocument())
        #expect(!html.contains("<script") && !html.contains("<b>"))
        #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;"))
        #expect(html.hasPrefix("<!DOCTYPE html>") && html.hasSuffix("</html>\n"))
        #expect(html.contains("default-src 'none'"))
        let tags = Set(html.split(separator: "<").dropFirst().map { $0.prefix { $0 != ">" && $0 != " " } })
        #expect(
            tags.isSubset(of: [
                "!DOCTYPE", "html", "head", "meta", "title", "/title", "style", "/style", "/head", "body", "header",
                "h1", "/h1", "p", "/p", "/header", "main", "section", "h2", "time", "/time", "/h2", "pre", "/pre",
                "/section", "/main", "/body", "/html",
            ]))
    }

    /// The time of adding small chunks to a message or to notes with this many bytes, in nanoseconds of this thread.
    private func timeOfChunks(after size: Int, _ chunk: (String) -> [UInt8]) throws -> Int {
        var transcript = Transcript()
        _ = transcript.add(try #require(TimelineText(chunk(String(repeating: "abc", count: size / 3)))))
        let entry = try #require(TimelineText(chunk("abc")))
        var sent = 0
        let time = WorkCost.leastTime { for _ in 0..<3_000 { sent += transcript.add(entry).count } }
        #expect(sent == 0)
        return time
    }

    /// A copy of the text for each chunk would make the time quadratic.
    @Test func aSmallChunkTakesNoTimeForTheTextBeforeIt() throws {
        let chunks: [(String) -> [UInt8]] = [
            { chunk($0) },
            { text in
                let data = String(decoding: TextChunk.base64(Array(text.utf8)), as: UTF8.self)
                return update(#"{"sessionUpdate":"terminal_output_chunk","terminalId":"t","data":"\#(data)"}"#)
            },
        ]
        for chunk in chunks {
            let (long, short) = try (timeOfChunks(after: 900_000, chunk), timeOfChunks(after: 3, chunk))
            #expect(long < 3 * short, "\(long) ns after a long text, \(short) ns after a short one")
        }
    }

    @Test func theRestOfALongMessageOfTheUserOrThoughtIsQuoted() {
        for kind in ["user_message_chunk", "agent_thought_chunk"] {
            let long = chunk(String(repeating: "a", count: 1 << 20), kind)
            let text = document(MarkdownDocument(), [long, chunk("b\\n## User, 1970\\n<script>", kind)])
            #expect(text.contains("\n> b\n> ## User, 1970\n> <script>") && !text.contains("\n## User, 1970"))
        }
    }

    @Test func htmlReplacesControlCharactersAndDirectionOverrides() {
        #expect(HTMLDocument.escaped("a\u{1b}[0m\u{202e}b\u{9b}\n\t") == "a\u{fffd}[0m\u{fffd}b\u{fffd}\n\t")
    }

    @Test func chunksOfASummaryAndOfOutputStayOnTheirLine() {
        func output(_ data: String) -> [UInt8] {
            update(#"{"sessionUpdate":"terminal_output_chunk","terminalId":"t","data":"\#(data)"}"#)
        }
        let kind = "compaction_summary_chunk"
        let text = document(
            MarkdownDocument(),
            [output("b25l"), output("IGxpbmU="), chunk("Two ", kind), chunk("files", kind), chunk("Hello")])
        #expect(text.contains("```text\none line\nsummary: Two files\n```\n"), "\(text)")
    }

    @Test func markdownJoinsChunksAndQuotesPrompts() {
        let text = document(MarkdownDocument())
        #expect(text.hasPrefix(##"# A \<b\>title\</b\> \# \`x\`"##))
        #expect(text.contains("\n## User, 2026-01-31T10:30:00Z\n\n> # Hi <script>"))
        #expect(text.contains("\n## Agent, 2026-01-31T10:30:00Z\n\nHello\n<script>"))
        #expect(text.contains("\n*Thought:*\n\n> hm\n"))
        #expect(text.contains("✓ Read"))
    }

    @Test func aFenceIsLongerThanTheBackquotesInIt() {
        #expect(document(MarkdownDocument()).contains("\n````text\n```<script>"))
    }

    @Test func aRecordingHasOneHeadAndRisingTimes() throws {
        let lines = try document(RecordingDocument()).split(separator: "\n").map {
            try JSONValue(validating: Array($0.utf8))
        }
        #expect(lines.first?["version"]?.int64Value == 2)
        let times = lines.dropFirst().compactMap { $0.elements.first?.doubleValue }
        #expect(times == times.sorted() && times.count == lines.count - 1 && times.count > 3)
    }

    @Test func ndjsonBeginsWithItsHead() throws {
        let first = document(NDJSONDocument()).split(separator: "\n").first ?? ""
        #expect(try ExportLine(Array(first.utf8)) == .head(head))
    }

    @Test func aRepeatedMessageOfVersion2IsShownOnce() {
        let lines = [
            update(
                #"{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":"Hel"}}"#),
            update(#"{"sessionUpdate":"agent_message","messageId":"m","content":[{"type":"text","text":"Hello"}]}"#),
            line("turn_end", "{}"),
            update(#"{"sessionUpdate":"agent_message","messageId":"m","content":[{"type":"text","text":"Hello"}]}"#),
        ]
        let text = document(MarkdownDocument(), lines)
        #expect(text.split(separator: "Hello", omittingEmptySubsequences: false).count == 2)
    }

    private static let child = ExportHead(
        agent: "codex", sessionId: "s.1", title: "An <i>explorer</i>", cwd: nil, parentId: "s")

    @Test func aSubagentFollowsAsAPartOfItsOwn() throws {
        func both(_ document: some ExportDocument) -> String {
            var document = document
            let bytes =
                document.begin(head) + document.add(chunk("from the parent")) + document.begin(Self.child)
                + document.add(chunk("from the child")) + document.finish()
            return String(decoding: bytes, as: UTF8.self)
        }
        func parts(_ text: String, at separator: String) throws -> (Substring, Substring) {
            let range = try #require(text.firstRange(of: separator))
            return (text[..<range.lowerBound], text[range.upperBound...])
        }
        for (text, separator) in [
            (both(MarkdownDocument()), "\n# Subagent: An \\<i\\>explorer\\</i\\>\n\nsession s\\.1, subagent of s\n"),
            (
                both(HTMLDocument()),
                "<header><h2>Subagent: An &lt;i&gt;explorer&lt;/i&gt;</h2><p>session s.1, subagent of s</p></header>"
            ), (both(NDJSONDocument()), String(decoding: Self.child.line, as: UTF8.self)),
        ] {
            let (before, after) = try parts(text, at: separator)
            #expect(before.contains("from the parent") && !before.contains("from the child"))
            #expect(after.contains("from the child") && !after.contains("from the parent"))
        }
        #expect(try ExportLine(Self.child.line) == .head(Self.child))
    }

    @Test(arguments: ["", "x", "[]", #"{"kind":"update"}"#, #"{"kind":"skipped","fromSeq":1}"#])
    func otherLinesAreLeftOut(text: String) {
        #expect(document(HTMLDocument(), [Array(text.utf8)]) == document(HTMLDocument(), []))
    }
}

@Suite struct ExportLineTests {
    private let good =
        #"{"seq":1,"ts":"2026-01-31T10:30:00.123Z","kind":"update","notification":{"method":"session/update","#
        + #""params":{ "sessionId":"s\u0031", "update":{"x":1}}}}"#

    @Test func anUpdateGetsTheNewSessionIdAndKeepsItsOtherBytes() throws {
        guard case .update(let ts, let text) = try ExportLine(Array(good.utf8)).renamed(by: ImportIds(root: "new"))
        else {
            Issue.record("not an update")
            return
        }
        #expect(ts == 1_769_855_400_123)
        #expect(
            String(decoding: text, as: UTF8.self)
                == #"{"method":"session/update","params":{ "sessionId":"new", "update":{"x":1}}}"#)
    }

    @Test func aPromptAndAPermissionGetTheNewSessionId() throws {
        for (kind, data, renamed) in [
            ("prompt", #"{"sessionId":"s"}"#, #"{"sessionId":"n"}"#),
            ("permission_request", #"{"params":{"sessionId":"s"}}"#, #"{"params":{"sessionId":"n"}}"#),
            ("turn_end", #"{"sessionId":"s"}"#, #"{"sessionId":"s"}"#),
        ] {
            guard case .entry(_, _, let body) = try ExportLine(line(kind, data)).renamed(by: ImportIds(root: "n"))
            else {
                Issue.record("not an entry")
                return
            }
            #expect(String(decoding: body, as: UTF8.self) == renamed)
        }
    }

    @Test(arguments: [
        "", "x", "[]", "{}", #"{"kind":"gone","ts":"2026-01-31T10:30:00.123Z","data":{}}"#,
        #"{"kind":"prompt","data":{}}"#, #"{"kind":"prompt","ts":"2026-02-30T10:30:00.123Z","data":{}}"#,
        #"{"kind":"prompt","ts":"2026-01-31T10:30:00.123Z","data":1}"#,
        #"{"kind":"prompt","kind":"prompt","ts":"2026-01-31T10:30:00.123Z","data":{}}"#,
        #"{"kind":"update","ts":"2026-01-31T10:30:00.123Z","notification":{"method":"x"}}"#,
        #"{"kind":"export","version":2,"agent":"a","sessionId":"s"}"#, #"{"kind":"export","version":1,"agent":""}"#,
    ])
    func aBadLineIsRefused(text: String) {
        #expect(throws: ExportLine.Fault.self) { try ExportLine(Array(text.utf8)) }
    }

    @Test func aLineBeyondTheLimitIsRefused() {
        let text = [UInt8](repeating: UInt8(ascii: " "), count: ExportLine.limitBytes + 1)
        #expect(throws: ExportLine.Fault(reason: "is longer than 7 MiB")) { try ExportLine(text) }
    }
}
