import AgentProcess
import JSONRPC
import JSONScan
import Posix
import SessionRecords
import TestSupport
import Testing

@testable import ACPRouting
@testable import Agents
@testable import EventLoop
@testable import SessionStreams

/// Lines of an agent and its editor go in; sessions and deliveries come out.
@Suite(.timeLimit(.minutes(1))) struct AgentSessionsTests {
    init() { LoopThread.start }

    @LoopActor private func sessions(_ rig: AgentRig) -> AgentSessions {
        let identity = AgentIdentity(
            name: "test", tenant: nil, command: [],
            record: AgentRecord.Agent(pid: 4711, startTicks: 0, pipes: []), startedAt: 0)
        return AgentSessions(of: identity, registry: rig.registry, time: rig.time)
    }

    @LoopActor private func agent(_ sessions: AgentSessions, _ text: String) {
        Array(text.utf8).withUnsafeBytes { sessions.agentWrote($0) }
    }

    @LoopActor private func editor(_ sessions: AgentSessions, _ text: String) {
        Array(text.utf8).withUnsafeBytes { sessions.editorWrote($0) }
    }

    private static func update(_ session: String, _ update: String = #"{"sessionUpdate":"plan"}"#) -> String {
        #"{"method":"session/update","params":{"sessionId":"\#(session)","update":\#(update)}}"# + "\n"
    }

    @LoopActor private func end(_ sessions: AgentSessions, _ rig: AgentRig) async {
        sessions.end(.exited(code: 0))
        await rig.close()
    }

    @Test @LoopActor func eachUpdateIsPublishedInItsSession() async throws {
        let rig = try AgentRig()
        let sessions = sessions(rig)
        agent(sessions, Self.update("s") + Self.update("t") + Self.update("s") + Self.update("u").dropLast())
        #expect(sessions.sessions.keys.sorted() == ["s", "t"])
        #expect(sessions.sessions["s"]?.receivedBytes ?? 0 > sessions.sessions["t"]?.receivedBytes ?? 0)
        sessions.agentFinished()
        #expect(sessions.sessions.keys.sorted() == ["s", "t", "u"] && sessions.unpublishedLines == 0)
        await end(sessions, rig)
    }

    @Test @LoopActor func linesThatCannotBePublishedAreCounted() async throws {
        let rig = try AgentRig()
        let sessions = sessions(rig)
        let longId = String(repeating: "x", count: 1_025)
        agent(sessions, "noise\n\n" + #"{"method":"a","method":"b"}"# + "\n" + Self.update(longId))
        #expect(sessions.unpublishedLines == 3 && sessions.sessions.isEmpty)
        await end(sessions, rig)
    }

    @Test @LoopActor func theMessagesOfAnArrayCountAsLines() async throws {
        let rig = try AgentRig()
        let sessions = sessions(rig)
        editor(
            sessions,
            #"[{"id":1,"method":"session/new","params":{"cwd":"/w"}},"#
                + #"{"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}]"# + "\n")
        #expect(!sessions.router.isIdle)
        agent(
            sessions,
            "[" + Self.update("s").dropLast() + #",{"id":2,"result":{"stopReason":"end_turn"}},"#
                + Self.update("t").dropLast() + #", {"id":1,"result":{"sessionId":"s"}}]"# + "\n")
        #expect(sessions.sessions.keys.sorted() == ["s", "t"] && sessions.sessions["s"]?.cwd == "/w")
        #expect(sessions.sessions["s"]?.runningPrompts == 0 && sessions.router.isIdle)
        #expect(sessions.unpublishedLines == 0)
        await end(sessions, rig)
    }

    @Test @LoopActor func anArrayThatIsNotReadIsCounted() async throws {
        let rig = try AgentRig()
        let sessions = sessions(rig)
        let update = Self.update("s").dropLast()
        agent(sessions, "[]\n[\(update),5]\n[[\(update)]]\n")
        agent(sessions, "[" + Array(repeating: update, count: 1_001).joined(separator: ",") + "]\n")
        #expect(sessions.unpublishedLines == 4 && sessions.sessions.isEmpty)
        await end(sessions, rig)
    }

    @Test @LoopActor func aClientReceivesItsAnswerWhenTheSessionIsOpen() async throws {
        let rig = try AgentRig()
        let sessions = sessions(rig)
        var openAtDelivery: [Bool] = []
        sessions.deliver = { delivery in
            guard case .toClient = delivery else { return }
            openAtDelivery.append(sessions.sessions["s"]?.isLive == true)
        }
        sessions.editorGone()
        var id: RequestID?
        try sessions.withRouter { (router) throws(ClientRefusal) in
            router.clientAttached(1, name: "ann")
            _ = router.clientTookOver(1)
            let events = try router.clientRequested(1, RequestID(7), "session/new", nil, at: 0)
            if case .delivery(.toAgent(let line))? = events.last {
                id = (try? JSONValue(validating: line))?["id"].flatMap(RequestID.init)
            }
            return events
        }
        let answer = MessageText.response(id: try #require(id)) { $0.member("sessionId", "s") }
        agent(sessions, String(decoding: answer, as: UTF8.self) + "\n")
        #expect(openAtDelivery == [true])
        sessions.deliver = { _ in }
        await end(sessions, rig)
    }

    @Test @LoopActor func aClosedSessionIsForgotten() async throws {
        let rig = try AgentRig()
        let sessions = sessions(rig)
        editor(sessions, #"{"id":1,"method":"session/new","params":{"cwd":"/w"}}"# + "\n")
        agent(sessions, #"{"id":1,"result":{"sessionId":"s","modes":{"currentModeId":"ask"}}}"# + "\n")
        agent(sessions, Self.update("s", #"{"sessionUpdate":"current_mode_update","currentModeId":"code"}"#))
        let setup = sessions.setup(of: "s").map { String(decoding: $0, as: UTF8.self) }
        #expect(setup == #"{"modes":{"currentModeId":"code"}}"# && sessions.sessions["s"]?.cwd == "/w")
        editor(sessions, #"{"id":2,"method":"session/close","params":{"sessionId":"s"}}"# + "\n")
        agent(sessions, #"{"id":2,"result":{}}"# + "\n")
        #expect(sessions.sessions.isEmpty && sessions.setup(of: "s") == nil)
        await end(sessions, rig)
    }

    /// An earlier fault: a session that the agent does not know was listed, as the newest one.
    @Test @LoopActor func aLoadThatFailsOpensNoSession() async throws {
        let rig = try AgentRig()
        let sessions = sessions(rig)
        for method in ["session/load", "session/resume"] {
            editor(sessions, #"{"id":1,"method":"\#(method)","params":{"sessionId":"old","cwd":"/"}}"# + "\n")
            #expect(sessions.sessions.isEmpty)
            agent(sessions, #"{"id":1,"error":{"code":-32002,"message":"no such session"}}"# + "\n")
            #expect(sessions.sessions.isEmpty)
        }
        editor(sessions, #"{"id":2,"method":"session/load","params":{"sessionId":"old","cwd":"/w"}}"# + "\n")
        agent(sessions, #"{"id":2,"result":{}}"# + "\n")
        #expect(sessions.sessions["old"]?.isLive == true && sessions.sessions["old"]?.cwd == "/w")
        editor(sessions, #"{"id":3,"method":"session/load","params":{"sessionId":"early","cwd":"/"}}"# + "\n")
        agent(sessions, Self.update("early"))
        #expect(sessions.sessions["early"]?.isLive == true)
        await end(sessions, rig)
    }

    /// An earlier fault: the folder of the second incarnation was not known.
    @Test @LoopActor func aSessionThatAnotherAgentRunsIsAnotherIncarnationInTheRequestedFolder() async throws {
        let rig = try AgentRig()
        let (first, second) = (sessions(rig), sessions(rig))
        agent(first, Self.update("s"))
        editor(
            second, #"{"id":1,"method":"session/load","params":{"sessionId":"s","cwd":"/w","mcpServers":[]}}"# + "\n")
        agent(second, Self.update("s") + #"{"id":1,"result":{}}"# + "\n")
        #expect(first.sessions["s"] !== second.sessions["s"])
        #expect(second.sessions["s"]?.isLive == true && second.sessions["s"]?.cwd == "/w")
        first.end(.exited(code: 0))
        await end(second, rig)
    }

    @Test @LoopActor func aTurnIsCountedInItsSession() async throws {
        let rig = try AgentRig()
        let sessions = sessions(rig)
        agent(sessions, Self.update("s"))
        editor(sessions, #"{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"# + "\n")
        #expect(sessions.sessions["s"]?.runningPrompts == 1 && !sessions.router.isIdle)
        agent(sessions, #"{"id":1,"result":{"stopReason":"end_turn"}}"# + "\n")
        #expect(sessions.sessions["s"]?.runningPrompts == 0 && sessions.router.isIdle)
        await end(sessions, rig)
    }
}
