import JSONScan
import Testing

@testable import acpbridge_demo_agent

/// Child sessions, elicitations and replay.
@Suite struct ChildTests {
    private static let replay = #"{"sessionId":"demo-t-1","cwd":"/project","replayFrom":{"type":"start"}}"#

    @Test func aChildIsAnnouncedBeforeItsUpdates() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words, 1 subagent")
        #expect(
            try client.settle().transcript == [
                "user_message", "state running", "inserted user_1", "subagent_update", "1a: state running",
                "1a: session_message", "1a: agent_message_chunk", "1a: state idle end_turn", "agent_message_chunk",
                "state idle end_turn",
            ])
    }

    @Test func aNestedChildIsAnnouncedInItsParentsSession() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words, nested subagents")
        let lines = try client.settle().transcript
        #expect(
            lines.filter { $0.contains("subagent") || $0.contains(": state") } == [
                "subagent_update", "1a: state running", "1a: subagent_update", "1a.a: state running",
                "1a.a: state idle end_turn", "1a: state idle end_turn",
            ])
    }

    @Test func aChildRequestsPermissionInItsOwnSession() throws {
        var client = Client.inSessionTwo()
        client.prompt("ships, 2 words, no plan, no thoughts, no reading, no commands, ask permission, 2 subagents")
        var messages = try client.settle()
        for id in 0..<3 {
            client.respond(id, Client.allow)
            messages += try client.settle()
        }
        let asks = messages.filter { $0["method"]?.stringValue == "session/request_permission" }
        #expect(
            asks.compactMap { $0["params", "sessionId"]?.stringValue } == ["demo-t-1", "demo-t-1.1a", "demo-t-1.1b"])
        #expect(messages.lines.last == "state idle end_turn")
    }

    @Test func aCancelledChildReleasesItsParent() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words, 1 subagent")
        _ = try client.run(for: .zero)
        client.cancel(session: "demo-t-1.1a")
        #expect(
            try client.settle().lines == ["1a: state idle cancelled", "agent_message_chunk", "state idle end_turn"])
    }

    @Test func cancelOfTheParentCancelsItsChildren() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words, 2 subagents, background subagent")
        _ = try client.run(for: .zero)
        client.cancel()
        #expect(
            try client.received().lines == [
                "1a: state idle cancelled", "1b: state idle cancelled", "state idle cancelled",
            ])
    }

    @Test func aBackgroundChildOutlivesTheTurn() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words, background subagent")
        let lines = try client.settle().transcript
        #expect(lines.contains("state idle end_turn [subagent]"))
        #expect(lines.suffix(2) == ["1b1: state idle end_turn", "state idle []"])
    }

    @Test func versionOneHasChildrenOnlyForClientsThatAcceptThem() throws {
        var client = Client.inSession(capabilities: #"{"subagents":{}}"#)
        client.prompt("quiet 2 words, 1 subagent")
        let messages = try client.settle()
        #expect(
            messages.transcript == [
                "subagent_update", "1a: session_message", "1a: agent_message_chunk", "subagent_update",
                "agent_message_chunk", "end_turn",
            ])
        #expect(
            messages.compactMap { $0["params", "update", "state"]?["state"]?.stringValue } == ["running", "idle"])
        var other = Client.inSession()
        other.prompt("quiet 2 words, 1 subagent")
        #expect(try other.settle().transcript == ["agent_message_chunk", "end_turn"])
    }

    @Test func versionOneEndsChildrenOnCancel() throws {
        var client = Client.inSession(capabilities: #"{"subagents":{}}"#)
        client.prompt("quiet 2 words, 1 subagent")
        _ = try client.run(for: .zero)
        client.cancel()
        #expect(try client.received().lines == ["subagent_update", "cancelled"])
        #expect(try client.settle().isEmpty)
    }

    // MARK: Elicitation

    private static let elicitation = #"{"elicitation":{"form":{},"url":{}}}"#

    @Test func aFormIsRequested() throws {
        var client = Client.inSessionTwo(capabilities: Self.elicitation)
        client.prompt("quiet 2 words, ask form")
        let request = try #require(try client.settle().last)
        #expect(request["method"]?.stringValue == "elicitation/create")
        #expect(request["params", "requestedSchema", "properties", "topic", "type"]?.stringValue == "string")
        client.respond(0, #"{"action":"accept","content":{"topic":"ships"}}"#)
        let messages = try client.settle()
        #expect(messages.transcript == ["state running", "agent_message_chunk", "state idle end_turn"])
        #expect(messages.text(of: "agent_message_chunk").hasPrefix("Thank you."))
    }

    @Test func aVisitedPageIsReportedAsComplete() throws {
        var client = Client.inSessionTwo(capabilities: Self.elicitation)
        client.prompt("quiet 2 words, ask url")
        let request = try #require(try client.settle().last)
        #expect(request["params", "url"]?.stringValue?.hasPrefix("https://") == true)
        client.respond(0, #"{"action":"accept"}"#)
        let messages = try client.settle()
        let complete = messages.first { $0["method"]?.stringValue == "elicitation/complete" }
        #expect(complete?["params", "elicitationId"]?.rawString == request["params", "elicitationId"]?.rawString)
    }

    @Test func anElicitationNeedsTheCapability() throws {
        var client = Client.inSession(capabilities: #"{"elicitation":{"form":{}}}"#)
        client.prompt("quiet 2 words, ask form, ask url")
        #expect(
            try client.settle(answering: ["elicitation/create": #"{"action":"decline"}"#]).transcript == [
                "elicitation/create", "agent_message_chunk", "end_turn",
            ])
    }

    // MARK: Replay

    @Test func aReplayEndsBeforeTheStateAndTheResponse() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words, 1 subagent, a notice")
        _ = try client.settle()
        client.request("session/resume", Self.replay)
        #expect(
            try client.received().lines == [
                "user_message", "subagent_update", "1a: session_message", "1a: agent_message", "agent_message",
                "1a: replay_complete", "replay_complete", "state idle end_turn", "response",
            ])
    }

    @Test func aResumeWithoutACursorOnlyReportsTheState() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words")
        _ = try client.settle()
        client.request("session/resume", #"{"sessionId":"demo-t-1","cwd":"/project"}"#)
        #expect(try client.received().lines == ["state idle end_turn", "response"])
    }

    @Test func runningChildrenAreReportedAfterTheResponse() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words, background subagent")
        _ = try client.run(for: .milliseconds(100))
        client.request("session/resume", #"{"sessionId":"demo-t-1","cwd":"/project"}"#)
        #expect(
            try client.received().lines == [
                "state idle end_turn [subagent]", "response", "subagent_update", "1b1: state running",
            ])
    }

    @Test func deletingASessionDeletesItsRecord() throws {
        var client = Client.inSessionTwo(keepsRecords: true)
        client.prompt("quiet 2 words, background terminal, lasting=forever")
        _ = try client.run(for: .seconds(1))
        for _ in 0..<2 { client.request("session/delete", #"{"sessionId":"demo-t-1"}"#) }
        let lines = try client.received().lines
        #expect(lines == ["terminal_update", "state idle []", "response", "response"])
        #expect(client.machine.takeRecords().isEmpty)
        #expect(client.machine.takeDeletedIDs() == ["demo-t-1"])
        client.request("session/resume", Self.replay)
        #expect(try client.settle().lines == ["error -32002"])
    }

    @Test func anOlderAgentMarksNeitherTheReplayNorTheState() throws {
        var client = Client.inSessionTwo()
        client.prompt("quiet 2 words, older agent")
        _ = try client.settle()
        client.request("session/resume", Self.replay)
        #expect(try client.received().lines == ["user_message", "agent_message", "response"])
    }

    @Test func versionOneReplaysChildrenWithTheirParent() throws {
        var client = Client.inSession(capabilities: #"{"subagents":{}}"#)
        client.prompt("quiet 2 words, 1 subagent")
        _ = try client.settle()
        client.request("session/load", #"{"sessionId":"demo-t-1","cwd":"/project","mcpServers":[]}"#)
        #expect(
            try client.received().transcript.prefix(5) == [
                "user_message_chunk", "subagent_update", "1a: session_message", "1a: agent_message_chunk",
                "subagent_update",
            ])
    }

    @Test func aSessionIsRestoredWithItsChildrenInItsVersion() throws {
        var first = Client.inSessionTwo(keepsRecords: true)
        first.prompt("ships, no permission, 1 subagent, background terminal, lasting=1s")
        _ = try first.settle()
        let records = first.machine.takeRecords()
        #expect(records.allSatisfy { $0.version == .two })
        let stored = SessionRecord(
            id: "demo-t-1", cwd: "/project", updates: records.flatMap(\.updates), version: .two)
        var second = Client.versionTwo(restoring: [stored])
        first.request("session/resume", Self.replay)
        second.request("session/resume", Self.replay)
        let isHistory: (JSONValue) -> Bool = { $0.updateKind != "state_update" && $0.updateKind != nil }
        #expect(
            try first.received().filter(isHistory).map(\.rawString)
                == second.received().filter(isHistory).map(\.rawString))
    }

    @Test func aStoredSessionContinuesInTheOtherVersionWithoutItsChildren() throws {
        var first = Client.inSessionTwo(keepsRecords: true)
        first.prompt("ships, no permission, 1 subagent")
        _ = try first.settle()
        let stored = SessionRecord(
            id: "demo-t-1", cwd: "/project", updates: first.machine.takeRecords().flatMap(\.updates), version: .two)
        var other = Client(keepsRecords: true, restoring: [stored])
        other.request("session/list", "{}")
        #expect(try other.received().first?["result", "sessions"]?.elements.count == 1)
        other.request("session/load", #"{"sessionId":"demo-t-1","cwd":"/project","mcpServers":[]}"#)
        let kinds = try other.received().compactMap(\.updateKind)
        #expect(kinds.first == "user_message_chunk" && kinds.contains("agent_message_chunk"))
        #expect(kinds.contains("tool_call") && !kinds.contains("state_update") && !kinds.contains("subagent_update"))
        // The record is stored again, in version 1, and can be continued in version 2 again.
        #expect(other.machine.takeDeletedIDs() == ["demo-t-1"])
        let record = try #require(other.machine.takeRecords().first)
        #expect(record.version == .one)
        var third = Client.versionTwo(restoring: [record])
        third.request("session/resume", Self.replay)
        let again = try third.received().compactMap(\.updateKind)
        #expect(again.contains("tool_call_update") && !again.contains("tool_call"))
        #expect(again.filter { $0 == "user_message_chunk" } == ["user_message_chunk"])
    }
}
