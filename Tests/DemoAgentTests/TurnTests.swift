import JSONScan
import Testing

@testable import acpbridge_demo_agent

@Suite struct TurnTests {
    private static let answers = [
        "fs/read_text_file": ##"{"content":"# Demo notes\n"}"##,
        "fs/write_text_file": "null",
        "session/request_permission": #"{"outcome":{"outcome":"selected","optionId":"allow"}}"#,
        "terminal/create": #"{"terminalId":"term-1"}"#,
        "terminal/wait_for_exit": #"{"exitCode":0,"signal":null}"#,
        "terminal/output": #"{"output":"demo: ships\n","truncated":false}"#,
        "terminal/release": "{}",
    ]

    @Test func aTurnWithAllCapabilitiesUsesAllTools() throws {
        var client = Client.inSession(capabilities: Client.everything)
        client.prompt("ships")
        let outline = try client.settle(answering: Self.answers).outline
        #expect(
            outline == [
                "session_info_update", "plan", "agent_thought_chunk",
                "tool_call pending", "tool_call_update in_progress", "fs/read_text_file", "tool_call_update completed",
                "plan",
                "tool_call pending", "session/request_permission", "tool_call_update in_progress", "fs/write_text_file",
                "tool_call_update completed", "plan",
                "tool_call pending", "tool_call_update in_progress", "terminal/create", "tool_call_update",
                "terminal/wait_for_exit", "terminal/output", "terminal/release", "tool_call_update completed", "plan",
                "agent_message_chunk", "plan", "usage_update", "end_turn",
            ])
    }

    @Test func aTurnWithoutCapabilitiesOnlyAsksForPermission() throws {
        var client = Client.inSession()
        client.prompt("ships")
        let messages = try client.settle(answering: Self.answers)
        #expect(
            messages.compactMap { $0["method"]?.stringValue }.filter { $0 != "session/update" } == [
                "session/request_permission"
            ])
        #expect(messages.last?.summary == "end_turn")
    }

    @Test func theDefaultTurnTakesTwoToFourSeconds() throws {
        var client = Client.inSession()
        client.prompt("ships and lighthouses")
        _ = try client.settle(answering: Self.answers)
        #expect(client.now > .seconds(2) && client.now < .seconds(4))
    }

    @Test func everyPlanHasAllEntriesAndAdvances() throws {
        var client = Client.inSession()
        client.prompt("ships, no permission")
        let plans = try client.settle().filter { $0.updateKind == "plan" }
        let statuses = plans.map { plan in
            (plan["params", "update", "entries"]?.elements ?? []).compactMap { $0["status"]?.stringValue?.first }
        }
        #expect(statuses.map { String($0) } == ["ippp", "cipp", "ccip", "ccci", "cccc"])
    }

    @Test(arguments: ["allow", "allow-always"])
    func anAllowedEditIsWritten(option: String) throws {
        var client = Client.inSession(capabilities: Client.everything)
        client.prompt("ships, no reading, no commands")
        _ = try client.settle()
        client.respond(0, #"{"outcome":{"outcome":"selected","optionId":"\#(option)"}}"#)
        let write = try #require(try client.settle().last)
        #expect(write["params", "path"]?.stringValue == "/project/demo-notes.md")
        #expect(write["params", "content"]?.stringValue == "# Demo notes\n- Turn 1: ships, reading\n")
    }

    @Test(arguments: ["reject", "reject-always", "no-such-option"])
    func aRejectedEditFailsAndTheTurnContinues(option: String) throws {
        var client = Client.inSession(capabilities: Client.everything)
        client.prompt("ships, no reading, no commands")
        _ = try client.settle()
        client.respond(0, #"{"outcome":{"outcome":"selected","optionId":"\#(option)"}}"#)
        let outline = try client.settle().outline
        #expect(outline.first == "tool_call_update failed")
        #expect(outline.last == "end_turn")
        #expect(!outline.contains("fs/write_text_file"))
    }

    @Test(arguments: [("allow-always", "completed"), ("reject-always", "failed")])
    func aPermanentAnswerIsNotRequestedAgain(option: String, status: String) throws {
        var client = Client.inSession()
        client.prompt("ships")
        _ = try client.settle()
        client.respond(0, #"{"outcome":{"outcome":"selected","optionId":"\#(option)"}}"#)
        _ = try client.settle()
        client.prompt("ships, no reading, no commands")
        let outline = try client.settle().outline
        #expect(!outline.contains("session/request_permission"))
        #expect(outline.contains("tool_call_update \(status)"))
    }

    @Test func aCancelledPermissionEndsTheTurn() throws {
        var client = Client.inSession()
        client.prompt("ships, no reading")
        _ = try client.settle()
        client.respond(0, #"{"outcome":{"outcome":"cancelled"}}"#)
        #expect(try client.settle().outline == ["tool_call_update failed", "cancelled"])
    }

    @Test func aFileThatCannotBeReadIsNotOverwritten() throws {
        var client = Client.inSession(capabilities: Client.everything)
        client.prompt("ships, no commands")
        let read = try #require(try client.settle().last?["id"])
        client.send(#"{"jsonrpc":"2.0","id":\#(read.rawString),"error":{"code":-32603,"message":"disk on fire"}}"#)
        let outline = try client.settle().outline
        #expect(outline.filter { $0 == "tool_call_update failed" }.count == 2)
        #expect(!outline.contains("fs/write_text_file"))
        #expect(outline.last == "end_turn")
    }

    @Test func aMissingFileIsCreated() throws {
        var client = Client.inSession(capabilities: Client.everything)
        client.prompt("ships, no commands, no permission")
        _ = try client.settle()
        client.send(#"{"jsonrpc":"2.0","id":0,"error":{"code":-32002,"message":"Resource not found"}}"#)
        let edit = try #require(try client.settle().first { $0.summary == "tool_call pending" })
        let diff = try #require(edit["params", "update", "content"]?.elements.first)
        #expect(diff["oldText"]?.isNull == true)
        #expect(diff["newText"]?.stringValue?.hasPrefix("# Demo notes\n- Turn 1: ") == true)
    }

    @Test func aRefusedTerminalOnlyFailsTheCommand() throws {
        var client = Client.inSession(capabilities: Client.everything)
        client.prompt("ships, no reading, no edits")
        _ = try client.settle()
        client.send(#"{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"no terminals today"}}"#)
        let outline = try client.settle().outline
        #expect(outline.first == "tool_call_update failed")
        #expect(outline.last == "end_turn")
    }

    @Test(arguments: [
        ("no thoughts", "agent_thought_chunk"), ("no plan", "plan"), ("no permission", "session/request_permission"),
    ])
    func partsThatThePromptExcludesAreOmitted(words: String, left: String) throws {
        var client = Client.inSession()
        client.prompt("ships, \(words)")
        #expect(try !client.settle(answering: Self.answers).outline.contains(left))
    }

    @Test func aQuietTurnConsistsOfItsChunks() throws {
        var client = Client.inSession()
        client.prompt("ships quiet 500 chunks pace=0")
        let messages = try client.settle()
        #expect(messages.count == 501)
        #expect(messages.outline == ["agent_message_chunk", "end_turn"])
        #expect(Set(messages.dropLast().map { $0["params", "update", "messageId"]?.stringValue }).count == 1)
        #expect(client.now == .zero)
    }

    @Test func chunksAreSentAtThePace() throws {
        var client = Client.inSession()
        client.prompt("ships quiet 3 chunks 20 ms apart")
        var times: [Duration] = []
        while client.machine.wake != nil || times.isEmpty {
            client.machine.advance(to: client.now)
            if try client.received().contains(where: { $0.updateKind == "agent_message_chunk" }) {
                times.append(client.now)
            }
            client.now = client.machine.wake ?? client.now
        }
        #expect(times == [.zero, .milliseconds(20), .milliseconds(40)])
    }

    @Test(arguments: [
        ("/echo Say this", "Say this", "end_turn"), ("/refuse", "", "refusal"), ("/fail hm", "", "error -32603"),
        ("/echo a \\\"b\\\"\\n\\\\c", "a \"b\"\n\\c", "end_turn"),
    ])
    func commandsHaveTheirDocumentedEffect(prompt: String, text: String, end: String) throws {
        var client = Client.inSession()
        client.prompt(prompt)
        let messages = try client.settle()
        #expect(messages.text(of: "agent_message_chunk") == text)
        #expect(messages.last?.summary == end)
    }

    @Test func oneAdvanceStopsAtTheOutputLimit() throws {
        var client = Client.inSession()
        client.prompt("ships quiet 100000 chunks pace=0")
        client.machine.advance(to: .zero)
        let count = client.machine.takeOutput().count
        #expect(count >= AgentMachine.outputLimitBytes && count < AgentMachine.outputLimitBytes + 1000)
        #expect(client.machine.wake == .zero)
    }

    @Test func flushEachSendsOneLinePerWrite() throws {
        var client = Client.inSession()
        client.prompt("ships quiet 3 chunks pace=0 flush=each")
        for _ in 0..<3 {
            client.machine.advance(to: .zero)
            #expect(try client.received().count == 1)
        }
    }
}
