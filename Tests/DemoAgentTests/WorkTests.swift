import Foundation
import JSONScan
import Testing

@testable import acpbridge_demo_agent

/// Turns, background work and queued prompts of version 2.
@Suite struct WorkTests {
    private static let command =
        "ships, ask permission, no plan, no thoughts, no reading, no edits, 6 words, background terminal, lasting=forever"
    private static let edit = "ships, no plan, no thoughts, no reading, no commands, 6 words"

    @Test func aTerminalCanOutliveItsTurn() throws {
        var client = Client.inSessionTwo()
        client.prompt(Self.command)
        #expect(
            try client.run(for: .zero).transcript == [
                "user_message", "state running", "inserted user_1", "session_info_update", "terminal_update",
                "tool_call_update pending", "state requires_action", "session/request_permission",
            ])
        client.respond(0, Client.allow)
        #expect(
            try client.run(for: .milliseconds(900)).transcript == [
                "state running", "tool_call_update in_progress", "terminal_output_chunk", "terminal_update",
                "tool_call_update completed", "terminal_update", "agent_message_chunk", "usage_update",
                "state idle end_turn [terminal]",
            ])
        #expect(try client.run(for: .seconds(5)).transcript == ["terminal_output_chunk"])
        client.prompt("quiet 2 words")
        #expect(
            try client.run(for: .milliseconds(100)).transcript.filter { $0 != "terminal_output_chunk" } == [
                "user_message", "state running [terminal]", "inserted user_2", "agent_message_chunk",
                "state idle end_turn [terminal]",
            ])
        client.request("terminal/cancel", #"{"sessionId":"demo-t-1","terminalId":"term_1_b1"}"#)
        #expect(try client.run(for: .zero).transcript == ["response", "terminal_update", "state idle []"])
        #expect(client.machine.wake == nil)
    }

    @Test func terminalOutputIsSplitInsideCharacters() throws {
        var client = Client.inSessionTwo()
        client.prompt("ships, no plan, no thoughts, no reading, no edits, split=5")
        let chunks = try client.settle().filter { $0.updateKind == "terminal_output_chunk" }
        let bytes = chunks.compactMap { chunk in
            chunk["params", "update", "data"]?.stringValue.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
        }
        #expect(bytes.dropLast().allSatisfy { $0.count == 5 })
        #expect(bytes.contains { String(validating: $0, as: UTF8.self) == nil })
        #expect(String(decoding: bytes.joined(), as: UTF8.self) == "demo: ships reading split\n✓ naïve café ☃ 🎉\n")
    }

    @Test func theEndOfATerminalIsSentBeforeTheStateThatOmitsIt() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words background=2 lasting=1s")
        #expect(
            try client.settle().lines.suffix(6) == [
                "terminal_output_chunk", "terminal_update", "state idle [terminal]", "terminal_output_chunk",
                "terminal_update", "state idle []",
            ])
    }

    @Test func unlistedBackgroundWorkAppearsInNoState() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words, unlisted background, background terminal, lasting=1s")
        let states = try client.settle().lines.filter { $0.hasPrefix("state") }
        #expect(states == ["state running", "state idle end_turn", "state idle"])
    }

    @Test func aBackgroundCallPausesAndEndsAfterTheTurn() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words, background call, lasting=1s")
        let calls = try client.settle().lines.filter { $0.hasPrefix("tool_call_update") }
        #expect(
            calls.map { $0.dropFirst("tool_call_update ".count) } == [
                "pending", "in_progress", "paused", "in_progress", "completed",
            ])
    }

    @Test func aToolCallIsCancelledByItsId() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words, background call, lasting=1s")
        _ = try client.run(for: .milliseconds(300))
        client.request("tool_call/cancel", #"{"sessionId":"demo-t-1","toolCallId":"call_1_b1"}"#)
        #expect(try client.settle().transcript == ["response", "tool_call_update cancelled", "state idle []"])
    }

    @Test func cancellingAForegroundTerminalDoesNotCancelItsToolCall() throws {
        var client = Client.inSessionTwo()
        client.prompt("ships, no plan, no thoughts, no reading, no edits, 2 words")
        _ = try client.run(for: .milliseconds(50))
        client.request("terminal/cancel", #"{"sessionId":"demo-t-1","terminalId":"term_1"}"#)
        #expect(
            try client.settle().transcript == [
                "response", "terminal_update", "tool_call_update completed", "agent_message_chunk", "usage_update",
                "state idle end_turn",
            ])
    }

    @Test func aBackgroundApprovalOutlivesTheCancelOfATurn() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words, background approval, lasting=1s")
        #expect(
            try client.run(for: .seconds(1)).transcript.suffix(2) == [
                "state idle end_turn [tool_call]", "session/request_permission",
            ])
        client.prompt("quiet 100 words")
        _ = try client.run(for: .milliseconds(50))
        client.cancel()
        #expect(try client.received().lines == ["state idle cancelled [tool_call]"])
        client.respond(0, Client.allow)
        #expect(
            try client.settle().transcript == [
                "tool_call_update in_progress", "tool_call_update completed", "state idle []",
            ])
    }

    // MARK: Cancelling

    @Test func cancelWithdrawsThePermissionAndAwaitsItsResponse() throws {
        var client = Client.inSessionTwo()
        client.prompt(Self.edit)
        _ = try client.run(for: .zero)
        client.cancel()
        #expect(try client.run(for: .seconds(1)).lines == ["$/cancel_request 0"])
        client.respond(0, Client.cancelled)
        #expect(try client.settle().lines == ["tool_call_update cancelled", "state idle cancelled"])
        client.cancel()
        #expect(try client.settle().isEmpty)
    }

    @Test func aWithdrawnRequestIsAwaitedForALimitedTime() throws {
        var client = Client.inSessionTwo()
        client.prompt(Self.edit)
        _ = try client.run(for: .zero)
        client.cancel()
        #expect(
            try client.settle().lines == ["$/cancel_request 0", "tool_call_update cancelled", "state idle cancelled"])
        #expect(client.now == Activity.withdrawalLimit)
    }

    @Test func anOlderAgentWaitsForTheClientOnCancel() throws {
        var client = Client.inSessionTwo()
        client.prompt(Self.edit + ", older agent")
        _ = try client.run(for: .zero)
        client.cancel()
        #expect(try client.run(for: .seconds(60)).isEmpty)
        client.respond(0, Client.cancelled)
        #expect(try client.settle().lines == ["tool_call_update cancelled", "state idle cancelled"])
    }

    @Test(arguments: [Client.allow, Client.cancelled])
    func theResponseToAWithdrawnPermissionIsIgnored(response: String) throws {
        var client = Client.inSessionTwo()
        client.prompt(Self.edit + ", withdraw permission")
        let asked = try client.run(for: .seconds(1)).lines
        #expect(asked.suffix(2) == ["session/request_permission", "$/cancel_request 0"])
        client.respond(0, response)
        let lines = try client.settle().transcript
        #expect(lines.prefix(2) == ["state running", "tool_call_update failed"])
        #expect(lines.last == "state idle end_turn")
    }

    @Test func versionOneAlsoWithdrawsAPermission() throws {
        var client = Client.inSession()
        client.prompt(Self.edit + ", withdraw permission")
        #expect(try client.run(for: .seconds(1)).lines.last == "$/cancel_request 0")
        client.respond(0, Client.cancelled)
        #expect(
            try client.settle().transcript == [
                "tool_call_update failed", "agent_message_chunk", "usage_update", "end_turn",
            ])
    }

    @Test func aDeclinedPermissionFailsTheCallAndTheTurnContinues() throws {
        var client = Client.inSessionTwo()
        client.prompt(Self.edit)
        _ = try client.run(for: .zero)
        client.respond(0, Client.cancelled)
        let lines = try client.settle().transcript
        #expect(lines.prefix(2) == ["state running", "tool_call_update failed"])
        #expect(lines.last == "state idle end_turn")
    }

    @Test func closeEndsAllWork() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words, background terminal, background approval, lasting=forever")
        _ = try client.run(for: .milliseconds(500))
        client.prompt(Self.edit)
        _ = try client.run(for: .zero)
        client.prompt("quiet")
        client.request("session/close", #"{"sessionId":"demo-t-1"}"#)
        let lines = try client.received().lines
        #expect(lines.first == "error -32800")
        #expect(Set(lines).isSuperset(of: ["$/cancel_request 0", "$/cancel_request 1", "state idle []"]))
        #expect(lines.last == "response")
        #expect(client.machine.wake == nil)
    }

    // MARK: Queued prompts

    @Test func promptsInFlightAreInsertedOneAfterAnother() throws {
        var client = Client.inSessionTwo()
        for _ in 0..<3 { client.prompt("quiet 1 chunk") }
        let turns = (1...3).flatMap {
            ["user_message", "state running", "inserted user_\($0)", "agent_message_chunk", "state idle end_turn"]
        }
        #expect(try client.settle().lines == turns)
    }

    @Test func aRetryWithTheSameKeyIsInsertedOnce() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 1 chunk")
        for _ in 0..<2 { client.prompt("quiet 1 chunk", key: "k") }
        let lines = try client.settle().lines
        #expect(lines.filter { $0 == "user_message" }.count == 2)
        #expect(lines.filter { $0 == "inserted user_2" }.count == 2)
        client.prompt("quiet 1 chunk", key: "k")
        #expect(try client.settle().lines == ["inserted user_2"])
    }

    @Test func cancelFailsThePromptsThatWereNotInserted() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 100 chunks")
        client.prompt("quiet 1 chunk")
        _ = try client.run(for: .zero)
        client.cancel()
        #expect(try client.settle().lines == ["error -32800", "state idle cancelled"])
    }

    @Test func aQueuedPromptIsCancelledByItsRequest() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 1 chunk")
        client.prompt("quiet 1 chunk")
        _ = try client.received()
        client.send(#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":105}}"#)
        #expect(try client.settle().lines == ["error -32800", "agent_message_chunk", "state idle end_turn"])
    }

    @Test func theResponseCanComeBeforeTheMessage() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 1 chunk, answer first")
        #expect(try client.received().lines == ["inserted user_1", "user_message", "state running"])
    }

    @Test(arguments: [
        ("/error hm", ["user_message", "state running", "inserted user_1", "state idle error"]),
        ("/refuse", ["user_message", "state running", "inserted user_1", "state idle refusal"]),
        ("/fail hm", ["error -32603"]),
    ])
    func commandsHaveTheirDocumentedEffect(prompt: String, lines: [String]) throws {
        var client = Client.inSessionTwo()
        client.prompt(prompt)
        #expect(try client.settle().lines == lines)
    }

    // MARK: States

    @Test func theAgentCanBeginATurnWithoutAPrompt() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words wake=1s")
        #expect(
            try client.settle().transcript == [
                "user_message", "state running", "inserted user_1", "agent_message_chunk", "state idle end_turn",
                "state running", "agent_message_chunk", "usage_update", "state idle end_turn",
            ])
        #expect(client.now > .seconds(1))
    }

    @Test func snapshotsRepeatTheIdleState() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words, 2 snapshots")
        #expect(try client.settle().lines.filter { $0 == "state idle end_turn" }.count == 3)
    }

    @Test func unknownStatesAndUpdatesAreSent() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words, unknown state, custom state, custom update, a notice")
        #expect(
            try client.settle().lines.dropFirst(3) == [
                "state unknown", "state running", "state _demo_waiting", "state running", "_demo_update", "notice",
                "agent_message_chunk", "state idle end_turn",
            ])
    }
}
