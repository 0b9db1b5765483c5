import AgentProcess
import Testing

/// ACP conversations, seen from an editor that checks every byte.
@Suite(.blocking) struct ConversationTests {
    @Test func aWholeTurnPassesUnchangedAndInOrder() throws {
        let outcome = try expectTransparent(rude("echo", "--early", "2", "--updates", "4", "--late", "2")) { editor in
            try editor.openSession()
            try editor.exchange(editor.prompt(id: "2"), until: "stopReason")
            // Two updates follow the prompt's response.
            try editor.readLines(until: #""n":8"#)
            editor.closeInput()
        }
        let order = outcome.outputText.split(separator: "\n").map { line in
            line.contains("session/update") ? "update" : line.contains("stopReason") ? "stop" : "result"
        }
        #expect(
            order == ["result", "update", "update", "result", "update", "update", "update", "update", "stop"]
                + ["update", "update"])
    }

    @Test(arguments: ["number", "string", "null", "float", "escaped"])
    func equalIdsOnBothSidesDoNotConflict(style: SystemString) throws {
        // The agent's first request has the same id as the editor's prompt, in the same or another spelling.
        let ids: [SystemString: String] = [
            "number": "0", "string": #""0""#, "null": "null", "float": "0.50e0", "escaped": #""\u0061\/0""#,
        ]
        let id = try #require(ids[style])
        let outcome = try expectTransparent(rude("echo", "--id-style", style)) { editor in
            try editor.exchange(editor.newSession(id: id), until: "sessionId\":\"rude-1\"}}")
            try editor.exchange(editor.prompt(id: id), until: "session/request_permission")
            let choice = #"{"outcome":{"outcome":"selected","optionId":"yes"}}"#
            try editor.exchange(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(choice)}"#, until: "stopReason")
            editor.closeInput()
        }
        #expect(outcome.outputText.contains(#"{"jsonrpc":"2.0","id":\#(id),"result":{"stopReason":"end_turn"}}"#))
    }

    @Test func idsAreReturnedWithTheirSpelling() throws {
        let ids = [
            "0", "-1", "9007199254740993", "123456789012345678901234567890", "1.0", "1.00", "1e2", "-0", #""""#,
            #""1""#,
            #""\u0031""#, #""é""#, #""\/""#, "null",
        ]
        let outcome = try expectTransparent(rude("echo")) { editor in
            for id in ids {
                try editor.exchange(#"{"jsonrpc":"2.0","id":\#(id),"method":"_made/up"}"#, until: "error")
            }
            editor.closeInput()
        }
        for id in ids { #expect(outcome.outputText.contains(#""id":\#(id),"#)) }
    }

    @Test func simultaneousSessionsStaySeparate() throws {
        try expectTransparent(rude("echo", "--sessions", "3", "--id-style", "number")) { editor in
            for number in 1...3 { try editor.exchange(editor.newSession(id: "\(number)"), until: "result") }
            for number in 1...3 {
                let prompt = editor.prompt(id: "\(number + 10)", session: "rude-\(number)")
                try editor.exchange(prompt, until: "session/request_permission")
            }
            for ask in [1, 2, 0] {
                try editor.exchange(#"{"jsonrpc":"2.0","id":\#(ask),"result":{}}"#, until: "stopReason")
            }
            editor.closeInput()
        }
    }

    @Test func aCancelledTurnPassesUnchanged() throws {
        try expectTransparent(rude("stall")) { editor in
            try editor.openSession()
            try editor.exchange(editor.prompt(id: "2"), until: #""n":4"#)
            let cancel = #"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"rude-1"}}"#
            try editor.exchange(cancel, until: #""stopReason":"cancelled""#)
            editor.closeInput()
        }
    }

    /// Bytes that are not ACP, or that use an unusual spelling, pass too.
    @Test(
        arguments: ["noise", "batch", "duplicate-keys", "escaped-keys"] as [SystemString], ["start", "new", "prompt"])
    func oddLinesOfTheAgentPassUnchanged(behaviour: SystemString, moment: String) throws {
        let outcome = try expectTransparent(rude(behaviour, "--on", SystemString(moment))) { editor in
            try editor.openSession()
            try editor.exchange(editor.prompt(id: "2"), until: "stopReason")
            editor.closeInput()
        }
        #expect(outcome.status == .exited(code: 0))
    }

    @Test func oddLinesOfTheEditorPassUnchanged() throws {
        let lines = [
            #"[{"jsonrpc":"2.0","id":1,"method":"initialize"},{"jsonrpc":"2.0","id":2,"method":"session/new"}]"#, "[]",
            " \t{ \"jsonrpc\" : \"2.0\" ,\t\"id\" : 3 , \"method\" : \"_x/y\" } \r", "", "\r", "no JSON", "{", "}{",
            "null",
            #"{"jsonrpc":"2.0","id":4,"method":"$/cancel_request","params":[1,2.50,"é😀",null,true,{}]}"#,
            #"{"jsonrpc":"2.0","id":5,"id":6,"method":"initialize","method":"session/new"}"#,
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"_x\",\"params\":{\"text\":\"\u{2028}\u{85}\u{feff}\\ud800\"}}",
        ]
        let text = lines.joined(separator: "\n") + "\n"
        let outcome = try expectTransparent(rude("cat")) { editor in
            try editor.send(Array(text.utf8))
            editor.closeInput()
        }
        expectSame(outcome.output, Array(text.utf8), "the echoed bytes")
    }

    @Test func pendingResponsesArriveAfterTheInputEnds() throws {
        let outcome = try expectTransparent(rude("echo")) { editor in
            editor.post(Array((editor.newSession(id: "1") + "\n" + editor.prompt(id: "2") + "\n").utf8))
            editor.closeInput()
        }
        #expect(outcome.outputText.contains("stopReason"))
    }

    @Test func anAgentThatStillOwesAResponseIsNotTerminated() throws {
        // Longer than the time limit for an agent that owes no answer.
        let agent = shell(#"read request; sleep 4; echo '{"jsonrpc":"2.0","id":1,"result":{}}'; exit 5"#)
        let outcome = try expectTransparent(agent) { editor in
            try editor.sendLine(#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#)
            editor.closeInput()
        }
        #expect(outcome.status == .exited(code: 5))
    }

    @Test func aSlowEditorGetsAllOutput() throws {
        let outcome = try expectTransparent(rude("flood", "--lines", "20000", "--size", "500", "--on", "new")) {
            editor in
            editor.pauseReading()
            try editor.sendLine(editor.newSession(id: "1"))
            try editor.wait(until: "the editor's pipe is full") { editor.unreadOutputBytes >= 60_000 }
            editor.pauseReading(false)
            try editor.readLines(until: #""id":1"#)
            editor.closeInput()
        }
        #expect(outcome.output.count > 20000 * 500)
    }
}
