import JSONScan
import SessionText
import TerminalText
import Testing
import Tinyvex

@Suite struct SessionRendererTests {
    private func json(_ text: String) throws -> JSONValue { try JSONValue(validating: Array(text.utf8)) }

    private func update(_ members: String) throws -> JSONValue {
        try json(#"{"method":"session/update","params":{"sessionId":"s","update":{"# + members + "}}}")
    }

    private func render(_ renderer: inout SessionRenderer, updates: [String]) throws -> String {
        try updates.map { renderer.render(.update, try update($0)).text }.joined()
    }

    private func chunk(_ text: String, _ kind: String = "agent_message_chunk", id: String? = nil) -> String {
        let message = id.map { #","messageId":"\#($0)""# } ?? ""
        return #""sessionUpdate":"\#(kind)","content":{"type":"text","text":"\#(text)"}\#(message)"#
    }

    private func call(_ kind: String, _ members: String) -> String {
        #""sessionUpdate":"\#(kind)","toolCallId":"t",\#(members)"#
    }

    @Test func chunksOfOneMessageShareALine() throws {
        var renderer = SessionRenderer(hasColour: false, remembers: true, showsContents: true)
        let shown = try render(
            &renderer,
            updates: [
                chunk("a"), chunk("b"), chunk("c", "agent_thought_chunk"), chunk("d", id: "1"), chunk("e", id: "1"),
                chunk("f", id: "2"), #""sessionUpdate":"agent_message_chunk","content":{"type":"image"}"#,
            ])
        #expect(shown == "ab\nc\nde\nf\n[image]")
        #expect(renderer.endLine().text == "\n")
        #expect(renderer.endLine().isEmpty)
    }

    @Test func laterUpdatesOfAToolCallShowItsTitleAndEachStatusOnce() throws {
        var renderer = SessionRenderer(hasColour: false, remembers: true, showsContents: true)
        let running = call("tool_call_update", #""status":"in_progress""#)
        let done = #""status":"completed","content":[{"type":"diff","path":"a\nb","newText":""}]"#
        let updates = [
            call("tool_call", #""title":"Read","status":"pending""#), running, running,
            call("tool_call_update", done), call("tool_call_update", #""status":"failed""#),
        ]
        #expect(try render(&renderer, updates: updates) == "… Read\n✓ Read\n  diff a⏎b (new file)\n✗ Read\n")
    }

    @Test func withoutMemoryEachUpdateIsRenderedByItself() throws {
        var renderer = SessionRenderer(hasColour: false, remembers: false, showsContents: true)
        let done = call("tool_call_update", #""status":"completed""#)
        let updates = [
            call("tool_call", #""title":"Read","status":"pending""#),
            call("tool_call_update", #""status":"in_progress""#), done, done,
        ]
        #expect(try render(&renderer, updates: updates) == "… Read\n✓ t\n✓ t\n")
    }

    @Test func aPlanShowsTheEntriesThatChanged() throws {
        var renderer = SessionRenderer(hasColour: false, remembers: true, showsContents: true)
        func plan(_ first: String) -> String {
            #""sessionUpdate":"plan","entries":[{"content":"a","status":"\#(first)"},{"content":"b","status":"pending"}]"#
        }
        let shown = try render(&renderer, updates: [plan("pending"), plan("in_progress"), plan("completed")])
        #expect(shown == "[ ] a\n[ ] b\n[>] a\n[x] a\n")
    }

    @Test func anAnswerShowsTheOptionsNameAndItsAuthor() throws {
        let request = try json(
            #"{"requestId":5,"params":{"toolCall":{"toolCallId":"t","title":"rm \u202ex\nFAKE"},"#
                + #""options":[{"optionId":"y","name":"Allow\nFAKE"}]}}"#)
        let answer = try json(
            #"{"requestId":5,"result":{"outcome":{"outcome":"selected","optionId":"y"}},"by":"uid 7\n"}"#)
        var renderer = SessionRenderer(hasColour: false, remembers: true, showsContents: true)
        #expect(renderer.render(.permissionRequest, request).text == "? permission: rm <U+202E>x⏎FAKE\n")
        #expect(renderer.render(.permissionAnswer, answer).text == "  Allow⏎FAKE (uid 7⏎)\n")
        // It was forgotten with its answer.
        #expect(renderer.render(.permissionAnswer, answer).text == "  y (uid 7⏎)\n")
        let cancelled = try json(#"{"requestId":6,"result":{"outcome":{"outcome":"cancelled"}}}"#)
        #expect(renderer.render(.permissionAnswer, cancelled).text == "  cancelled (editor)\n")
    }

    @Test func otherEntriesHaveTheirOwnLines() throws {
        var renderer = SessionRenderer(hasColour: false, remembers: true, showsContents: true)
        let entries: [(TimelineEntryKind, String, String)] = [
            (.agentStart, #"{"agent":"codex","pid":1}"#, "agent codex started\n"),
            (
                .prompt, #"{"prompt":[{"text":"a\nb"},{"type":"image"},{"text":"c"}],"by":"uid 7"}"#,
                "> a\nb c (uid 7)\n"
            ),
            (.turnEnd, #"{"stopReason":"end_turn"}"#, "— end_turn\n"),
            (.turnEnd, #"{"error":{"message":"no\nluck"}}"#, "— error: no⏎luck\n"),
            (.agentExit, #"{"reason":"interrupted"}"#, "agent ended, because its bridge was killed\n"),
            (.agentExit, #"{"exitCode":3}"#, "agent ended with status 3\n"),
            (.agentExit, #"{"signal":9}"#, "agent ended by signal 9\n"), (.agentExit, "{}", "agent ended\n"),
        ]
        for (kind, content, shown) in entries { #expect(renderer.render(kind, try json(content)).text == shown) }
        _ = try render(&renderer, updates: [chunk("a")])
        #expect(renderer.render(sessionEnd: "closed").text == "\nsession closed\n")
        #expect(renderer.render(sessionEnd: "agent_exit").isEmpty)
        #expect(renderer.render(sessionEnd: "interrupted").text == "session interrupted: its bridge was killed\n")
        _ = try renderer.render(.agentExit, JSONValue(validating: Array(#"{"reason":"interrupted"}"#.utf8)))
        #expect(renderer.render(sessionEnd: "interrupted").isEmpty, "the entry has shown it")
    }

    @Test func coloursAreAddedToFilteredText() throws {
        var renderer = SessionRenderer(hasColour: true, remembers: true, showsContents: true)
        let shown = try render(&renderer, updates: [chunk("a\\u001b[0mb", "agent_thought_chunk"), chunk("c")])
        #expect(shown == "\u{1b}[2ma[0mb\u{1b}[0m\nc")
    }

    /// Page by page, as an export does it.
    @Test func aRendererContinuesALineThatAnotherLeftOpen() throws {
        let updates = [chunk("a", id: "1"), chunk("b", id: "1"), chunk("c", id: "2"), chunk("d", "user_message_chunk")]
        var whole = SessionRenderer(hasColour: false, remembers: false, showsContents: true)
        let wanted = try render(&whole, updates: updates)
        var shown = ""
        var (line, message) = (ExportCursor.Line.none, Int64(0))
        for update in updates {
            var page = SessionRenderer(hasColour: false, remembers: false, showsContents: true)
            (page.line, page.message) = (line, message)
            shown += try render(&page, updates: [update])
            (line, message) = (page.line, page.message)
        }
        #expect(shown == wanted)
        #expect(wanted == "ab\nc\nd")
    }

    /// An agent that invents calls forever does not fill the memory: the oldest are forgotten.
    @Test func onlyRecentToolCallsAreRemembered() throws {
        var renderer = SessionRenderer(hasColour: false, remembers: true, showsContents: true)
        for number in 0...1_000 {
            let call = #""sessionUpdate":"tool_call","toolCallId":"\#(number)","title":"Read \#(number)""#
            _ = try render(&renderer, updates: [call])
        }
        func end(_ number: Int) throws -> String {
            let end = #""sessionUpdate":"tool_call_update","toolCallId":"\#(number)","status":"completed""#
            return try render(&renderer, updates: [end])
        }
        #expect(try end(0) == "✓ 0\n")
        #expect(try end(1) == "✓ Read 1\n")
    }
}
