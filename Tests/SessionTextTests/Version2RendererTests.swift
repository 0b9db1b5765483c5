import JSONScan
import SessionText
import TerminalText
import Testing
import Tinyvex

/// Rendering the updates of ACP version 2.
@Suite struct Version2RendererTests {
    private var renderer = SessionRenderer(hasColour: false, remembers: true, showsContents: true)

    private func json(_ text: String) throws -> JSONValue { try JSONValue(validating: Array(text.utf8)) }

    private mutating func show(_ members: String, of session: String = "S1") throws -> String {
        let params = #"{"sessionId":"\#(session)","update":{"sessionUpdate":\#(members)}}"#
        return renderer.render(.update, try json(#"{"method":"session/update","params":\#(params)}"#)).text
    }

    private mutating func show(all updates: [String]) throws -> String {
        var shown = ""
        for update in updates { shown += try show(update) }
        return shown
    }

    private mutating func entry(_ kind: TimelineEntryKind, _ content: String) throws -> String {
        renderer.render(kind, try json(content)).text
    }

    private static func text(_ text: String) -> String { #"[{"type":"text","text":"\#(text)"}]"# }

    @Test mutating func aPromptThatIsNotRenderedIsNotRepeated() throws {
        renderer.omit(prompt: "hello")
        #expect(try show(#""user_message","messageId":"u1","content":\#(Self.text("hello"))"#) == "")
        #expect(try show(#""user_message","messageId":"u2","content":\#(Self.text("hello"))"#) == "hello")
    }

    @Test mutating func aConversationLooksLikeOneOfVersion1() throws {
        var shown = try entry(.prompt, #"{"sessionId":"S1","prompt":\#(Self.text("run the tests")),"by":"uid 7"}"#)
        shown += try show(all: [
            #""user_message","messageId":"u1","content":\#(Self.text("run the tests"))"#,
            #""state_update","state":"running""#,
            #""agent_thought_chunk","messageId":"m1","content":{"type":"text","text":"make test"}"#,
            #""agent_message_chunk","messageId":"m1","content":{"type":"text","text":"I run "}"#,
            #""agent_message_chunk","messageId":"m1","content":{"type":"text","text":"them."}"#,
            #""terminal_update","terminalId":"t1","command":"make test","cwd":"/w""#,
            #""tool_call_update","toolCallId":"c1","title":"make test","status":"pending""#,
            #""state_update","state":"requires_action""#,
        ])
        shown += try entry(
            .permissionRequest,
            #"{"requestId":0,"params":{"sessionId":"S1","title":"Run it?","subject":{"type":"command","command":"make\n","toolCallId":"c1"},"#
                + #""options":[{"optionId":"y","name":"Yes"}]}}"#)
        shown += try entry(
            .permissionAnswer, #"{"requestId":0,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}"#)
        shown += try show(all: [
            #""tool_call_update","toolCallId":"c1","status":"in_progress""#,
            #""terminal_output_chunk","terminalId":"t1","data":"cnVubmluZw0K""#,
            #""terminal_output_chunk","terminalId":"t1","data":"w6k=""#,
            #""terminal_update","terminalId":"t1","exitStatus":{"exitCode":0}"#,
            #""tool_call_update","toolCallId":"c1","status":"completed""#,
            #""state_update","state":"idle","stopReason":"end_turn","background":[{"type":"terminal","terminalId":"t2"}]"#,
            #""state_update","state":"idle","stopReason":"end_turn","background":[]"#,
        ])
        shown += try entry(.turnEnd, #"{"stopReason":"end_turn"}"#)
        #expect(
            shown == """
                > run the tests (uid 7)
                make test
                I run them.
                $ make test
                ? permission: Run it?
                  $ make⏎
                  Yes (editor)
                … make test
                running
                é
                  exit status 0
                ✓ make test
                — end_turn (1 in the background)

                """)
    }

    @Test mutating func aWholeMessageShowsOnlyWhatItsChunksDidNotShow() throws {
        let chunk = #""agent_message_chunk","messageId":"m","content":{"type":"text","text":"Hel"}"#
        #expect(try show(chunk) == "Hel")
        #expect(try show(#""agent_message","messageId":"m","content":\#(Self.text("Hello"))"#) == "lo")
        #expect(try show(#""agent_message","messageId":"m","content":\#(Self.text("Hello"))"#).isEmpty)
        #expect(try show(#""agent_message","messageId":"m""#).isEmpty)
        #expect(try show(#""agent_message","messageId":"m","content":\#(Self.text("Bye"))"#) == "\nBye")
        // A thought can have the same id.
        #expect(try show(#""agent_thought","messageId":"m","content":\#(Self.text("Bye"))"#) == "\nBye")
        #expect(try show(#""agent_thought","messageId":"m","content":null"#) == "\n")
    }

    @Test mutating func anEmptyMessageBeforeItsChunksShowsNothing() throws {
        let chunk = #""agent_message_chunk","messageId":"m","content":{"type":"text","text":"a"}"#
        #expect(try show(all: [#""agent_message","messageId":"m","content":[]"#, chunk, chunk]) == "aa")
    }

    @Test mutating func aUserMessageThatIsNotAPromptIsShown() throws {
        #expect(try show(#""user_message","messageId":"u","content":\#(Self.text("hi"))"#) == "hi")
    }

    @Test mutating func aTerminalsOutputIsShownOnceAndWithoutEscapeSequences() throws {
        func snapshot(_ data: String) -> String { #""terminal_update","terminalId":"t","output":{"data":"\#(data)"}"# }
        func chunk(_ data: String) -> String { #""terminal_output_chunk","terminalId":"t","data":"\#(data)""# }
        // ESC [ 3 1 | m a C3 | A9 CR LF
        #expect(try show(all: [chunk("G1sz"), chunk("MW1hww=="), chunk("qQ0K")]) == "aé\n")
        #expect(try show(snapshot("G1szMW1hw6kNCg==")).isEmpty)
        // The same with "b" at its end, and then another output.
        #expect(try show(snapshot("G1szMW1hw6kNCmI=")) == "b")
        #expect(try show(snapshot("Yw==")) == "\nc")
        #expect(
            try show(#""terminal_update","terminalId":"t","exitStatus":{"signal":"SIGTERM"}"#)
                == "\n  ended by signal SIGTERM\n")
        #expect(try show(#""terminal_update","terminalId":"t","exitStatus":{"signal":"SIGTERM"}"#).isEmpty)
    }

    @Test mutating func theContentOfACallIsShownWithItsStatus() throws {
        let changes =
            #"[{"operation":"modify","path":"a.c"},{"operation":"add","path":"b\nc"},{"operation":"move","oldPath":"d","path":"e"}]"#
        let shown = try show(all: [
            #""state_update","state":"running""#,
            #""tool_call_update","toolCallId":"c","title":"Edit","status":"pending","content":[{"type":"diff","changes":\#(changes)}]"#,
            #""tool_call_update","toolCallId":"c","status":"completed""#,
            #""tool_call_content_chunk","toolCallId":"c","content":{"type":"session","sessionId":"S1.a"}"#,
            #""tool_call_update","toolCallId":"c","status":"cancelled","title":null"#,
        ])
        #expect(
            shown == """
                ✓ Edit
                  diff a.c
                  diff b⏎c (add)
                  diff d → e (move)
                  subagent S1.a
                ✗ c (cancelled)

                """)
    }

    @Test mutating func aSubagentIsIndented() throws {
        var shown = try show(#""subagent_update","sessionId":"S1.a","title":"Explorer""#)
        shown += try show(
            #""session_message","messageId":"p","senderSessionId":"S1","content":\#(Self.text("look\naround"))"#
                .replacing("\n", with: #"\n"#), of: "S1.a")
        shown += try show(#""state_update","state":"running""#, of: "S1.a")
        shown += try show(#""tool_call_update","toolCallId":"c","title":"Read","status":"in_progress""#, of: "S1.a")
        shown += try show(#""tool_call_update","toolCallId":"c","title":"Mine","status":"in_progress""#)
        shown += try entry(.permissionRequest, #"{"requestId":2,"params":{"sessionId":"S1.a","title":"Read /etc?"}}"#)
        shown += try show(#""state_update","state":"idle","stopReason":"end_turn""#, of: "S1.a")
        shown += try show(#""subagent_update","sessionId":"S1.a","state":{"state":"idle","stopReason":"end_turn"}"#)
        shown += try show(#""replay_complete""#, of: "S1.a")
        #expect(
            shown == """
                subagent: Explorer
                    message from S1: look
                    around
                    … Read
                … Mine
                    ? permission: Read /etc?
                    — end_turn

                """)
    }

    @Test mutating func linesOfParallelSubagentsDoNotMixAndHaveTheirNumbers() throws {
        renderer = SessionRenderer(hasColour: false, remembers: true, showsContents: true, labelsSubagents: true)
        func chunk(_ text: String) -> String {
            #""agent_message_chunk","messageId":"m","content":{"type":"text","text":"\#(text)"}"#
        }
        var shown = try show(all: [
            #""subagent_update","sessionId":"a","title":"Explorer""#,
            #""subagent_update","sessionId":"b","title":"Tester""#,
        ])
        shown += try show(chunk("one "), of: "a")
        shown += try show(chunk("eins "), of: "b")
        shown += try show(chunk(#"two\nthree"#), of: "a")
        shown += try show(chunk("zwei"), of: "b")
        shown += try show(#""tool_call_update","toolCallId":"c","title":"Read","status":"in_progress""#, of: "b")
        shown += try show(chunk("the parent"))
        shown += renderer.endLines().text
        #expect(
            shown == """
                subagent 1: Explorer
                subagent 2: Tester
                    [1] one two
                    [2] eins zwei
                    [2] … Read
                the parent
                    [1] three

                """)
    }

    @Test mutating func aLongLineOfASubagentIsBrokenAtASpace() throws {
        renderer = SessionRenderer(hasColour: false, remembers: true, showsContents: true, labelsSubagents: true)
        _ = try show(#""subagent_update","sessionId":"a","title":"Explorer""#)
        let words = String(repeating: "wörd ", count: 300)
        let chunk = #""agent_message_chunk","messageId":"m","content":{"type":"text","text":"\#(words)"}"#
        let shown = try show(chunk, of: "a") + renderer.endLines().text
        let lines = shown.split(separator: "\n").map { $0.dropFirst("    [1] ".count) }
        #expect(lines.count == 2 && lines.joined() == words)
    }

    /// If each part copied the rest of the line, this would take minutes.
    @Test(.timeLimit(.minutes(1))) mutating func aVeryLongLineOfASubagentIsShown() throws {
        renderer = SessionRenderer(hasColour: false, remembers: true, showsContents: true, labelsSubagents: true)
        _ = try show(#""subagent_update","sessionId":"a","title":"Explorer""#)
        let text = String(repeating: "x", count: 16 << 20)
        let shown = try show(
            #""agent_message_chunk","messageId":"m","content":{"type":"text","text":"\#(text)"}"#, of: "a")
        #expect(shown.utf8.count > 16 << 20 - 2 << 10)
    }

    @Test mutating func textOfASubagentAfterTheEndOfTheTurnIsShownAtOnce() throws {
        renderer = SessionRenderer(hasColour: false, remembers: true, showsContents: true, labelsSubagents: true)
        _ = try entry(.prompt, #"{"sessionId":"S1","prompt":\#(Self.text("go"))}"#)
        _ = try show(#""subagent_update","sessionId":"a","title":"Explorer""#)
        _ = try entry(.turnEnd, #"{"stopReason":"end_turn"}"#)
        let chunk = #""agent_message_chunk","messageId":"m","content":{"type":"text","text":"Done."}"#
        #expect(try show(chunk, of: "a") == "    [1] Done.\n")
        _ = try entry(.prompt, #"{"sessionId":"S1","prompt":\#(Self.text("again"))}"#)
        #expect(try show(chunk, of: "a") == "", "the line can continue")
    }

    @Test mutating func eachLineOfALabelledSessionBeginsWithItsLabel() throws {
        renderer = SessionRenderer(
            hasColour: false, remembers: true, showsContents: true, labelsSubagents: true, label: "shop | ")
        func chunk(_ text: String) -> String {
            #""agent_message_chunk","messageId":"m","content":{"type":"text","text":"\#(text)"}"#
        }
        var shown = try entry(.prompt, #"{"sessionId":"S1","prompt":\#(Self.text(#"go\non"#))}"#)
        shown += try show(chunk("one "))
        #expect(shown == "shop | > go\nshop | on\n", "an unfinished line waits, because another session can write")
        shown += renderer.endLine().text
        shown += try show(#""subagent_update","sessionId":"a","title":"Explorer""#)
        shown += try show(chunk("eins "), of: "a")
        shown += try show(chunk(#"two\nthree"#))
        shown += try entry(.turnEnd, #"{"stopReason":"end_turn"}"#)
        shown += try show(#""plan_update","plan":{"type":"markdown","planId":"3","content":"x\ny"}"#)
        #expect(
            shown
                == """
                shop | > go
                shop | on
                shop | one
                shop | subagent 1: Explorer
                shop | two
                shop |     [1] eins
                shop | three
                shop | — end_turn
                shop | plan: x
                shop | y

                """.replacing("one\n", with: "one \n").replacing("eins\n", with: "eins \n"))
    }

    @Test mutating func aLabelHasItsOwnColourBetweenTheLinesOfAText() throws {
        renderer = SessionRenderer(
            hasColour: true, remembers: true, showsContents: true, labelsSubagents: true, label: "shop | ")
        let shown = try entry(.prompt, #"{"sessionId":"S1","prompt":\#(Self.text(#"go\non"#))}"#)
        #expect(shown == "shop | \u{1b}[1m> go\u{1b}[0m\nshop | \u{1b}[1mon\u{1b}[0m\n")
    }

    @Test mutating func plansAreDistinguishedByTheirIds() throws {
        func plan(_ id: String, _ status: String) -> String {
            #""plan_update","plan":{"type":"items","planId":"\#(id)","entries":[{"content":"a","status":"\#(status)"}]}"#
        }
        let updates = [
            plan("1", "pending"), plan("2", "pending"), plan("1", "pending"), plan("1", "cancelled"),
            #""plan_removed","planId":"1""#,
            #""plan_update","plan":{"type":"markdown","planId":"3","content":"x\ny"}"#.replacing("\n", with: #"\n"#),
        ]
        #expect(try show(all: updates) == "[ ] a\n[ ] a\n[-] a\nplan: x\ny\n")
    }

    @Test mutating func otherUpdatesOfVersion2AreShown() throws {
        let updates = [
            #""notice","severity":"warning","title":"Slow\u001b[2J","description":"network""#,
            #""compaction_update","compactionId":"k","status":"in_progress""#,
            #""compaction_update","compactionId":"k","status":"in_progress""#,
            #""compaction_summary_chunk","compactionId":"k","content":{"type":"text","text":"s"}"#,
            #""compaction_update","compactionId":"k","status":"failed","error":{"message":"no"}"#,
            #""config_option_update","configOptions":[{"configId":"m","category":"mode","currentValue":"plan"}]"#,
            #""state_update","state":"unknown""#, #""replay_complete""#, #""of_tomorrow","title":"x""#,
            #""state_update","state":"running""#,
            #""state_update","state":"idle","stopReason":"error","error":{"code":1,"message":"quota"}"#,
        ]
        #expect(
            try show(all: updates) == """
                ! Slow<U+001B>[2J: network
                compacting the conversation
                summary: s
                compaction failed: no
                mode: plan
                update of unknown kind of_tomorrow
                — error: quota

                """)
        #expect(try entry(.turnEnd, #"{"stopReason":"error","error":{"message":"quota"}}"#).isEmpty)
        #expect(try entry(.turnEnd, #"{"messageId":"u1"}"#).isEmpty)
    }

    @Test mutating func theSummaryOfACompactionIsShownOnce() throws {
        func compaction(_ members: String) -> String { #""compaction_update","compactionId":"k",\#(members)"# }
        func chunk(_ text: String) -> String {
            #""compaction_summary_chunk","compactionId":"k","content":{"type":"text","text":"\#(text)"}"#
        }
        let whole = compaction(#""status":"completed","summary":\#(Self.text("one two"))"#)
        #expect(
            try show(all: [chunk("one "), chunk("two"), whole, whole]) == "summary: one two\nconversation compacted\n")
        let error = compaction(#""status":"failed","error":"no room""#)
        #expect(try show(error) == "compaction failed: no room\n")
        // The same id names a message.
        #expect(
            try show(all: [chunk("x"), #""agent_message","messageId":"k","content":\#(Self.text("one two"))"#])
                == "summary: x\none two")
    }

    @Test mutating func aQuestionShowsItsMessageAndItsAnswer() throws {
        #expect(
            try entry(.elicitationRequest, #"{"requestId":1,"params":{"mode":"form","message":"Which\nbranch?"}}"#)
                == "? Which⏎branch?\n")
        #expect(
            try entry(.elicitationAnswer, #"{"requestId":1,"result":{"action":"accept"}}"#) == "  accept (editor)\n")
        #expect(
            try entry(
                .elicitationRequest, #"{"requestId":2,"params":{"mode":"url","message":"Sign in","url":"https://a.b"}}"#
            )
                == "? Sign in\n  https://a.b\n")
    }
}
