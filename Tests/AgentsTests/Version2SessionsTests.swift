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

/// Lines of an agent of ACP version 2: the activity and the parents of its sessions.
@Suite(.timeLimit(.minutes(1))) struct Version2SessionsTests {
    init() { LoopThread.start }

    @LoopActor private func sessions(_ rig: AgentRig) -> AgentSessions {
        let identity = AgentIdentity(
            name: "test", tenant: nil, command: [],
            record: AgentRecord.Agent(pid: 4711, startTicks: 0, pipes: []), startedAt: 0)
        let sessions = AgentSessions(of: identity, registry: rig.registry, time: rig.time)
        editor(sessions, #"{"id":0,"method":"initialize","params":{"protocolVersion":2}}"#)
        agent(sessions, #"{"id":0,"result":{"protocolVersion":2}}"#)
        return sessions
    }

    @LoopActor private func agent(_ sessions: AgentSessions, _ line: String) {
        Array((line + "\n").utf8).withUnsafeBytes { sessions.agentWrote($0) }
    }

    @LoopActor private func update(_ sessions: AgentSessions, _ session: String, _ update: String) {
        agent(sessions, #"{"method":"session/update","params":{"sessionId":"\#(session)","update":{\#(update)}}}"#)
    }

    @LoopActor private func editor(_ sessions: AgentSessions, _ line: String) {
        Array((line + "\n").utf8).withUnsafeBytes { sessions.editorWrote($0) }
    }

    @LoopActor private func end(_ sessions: AgentSessions, _ rig: AgentRig) async {
        sessions.end(.exited(code: 0))
        await rig.close()
    }

    @Test @LoopActor func aSessionRunsUntilItsAgentIsIdle() async throws {
        let rig = try AgentRig()
        let sessions = sessions(rig)
        update(sessions, "s", #""sessionUpdate":"plan_update""#)
        let session = try #require(sessions.sessions["s"])
        editor(sessions, #"{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#)
        update(sessions, "s", #""sessionUpdate":"state_update","state":"running""#)
        agent(sessions, #"{"id":1,"result":{"messageId":"u"}}"#)
        #expect(session.runningPrompts == 0 && session.isRunning && session.activity.agentState == "running")
        update(
            sessions, "s",
            #""sessionUpdate":"state_update","state":"idle","background":[{"type":"terminal","terminalId":"t"}]"#)
        #expect(!session.isRunning && session.activity.isBusy && session.activity.backgroundCount == 1)
        update(sessions, "s", #""sessionUpdate":"terminal_update","terminalId":"t","exitStatus":{"exitCode":0}"#)
        #expect(!session.activity.isBusy && session.activity == AgentActivity())
        await end(sessions, rig)
    }

    /// The agent has the session open, so that it can write new updates while it repeats the history.
    @Test @LoopActor func aStateAndWhateverFollowsTheEndOfARepetitionAreStored() async throws {
        let rig = try AgentRig()
        let sessions = sessions(rig)
        let (running, custom) = (#""sessionUpdate":"state_update","state":"running""#, #""sessionUpdate":"_custom""#)
        for line in [running, custom] { update(sessions, "s", line) }
        let session = try #require(sessions.sessions["s"])
        let place = #""cwd":"/","replayFrom":{"type":"start"}"#
        editor(sessions, #"{"id":1,"method":"session/resume","params":{"sessionId":"s",\#(place)}}"#)
        // Only the second line is history, and the end of it is not stored.
        for line in [running, custom, #""sessionUpdate":"replay_complete""#] { update(sessions, "s", line) }
        for _ in 1...2 { update(sessions, "s", custom) }
        agent(sessions, #"{"id":1,"result":{}}"#)
        await end(sessions, rig)
        #expect(session.head == 5)
    }

    @Test @LoopActor func aChildHasAParentAndClosesWithIt() async throws {
        let rig = try AgentRig()
        let sessions = sessions(rig)
        editor(sessions, #"{"id":1,"method":"session/new","params":{"cwd":"/w"}}"#)
        agent(sessions, #"{"id":1,"result":{"sessionId":"s"}}"#)
        update(sessions, "s", #""sessionUpdate":"subagent_update","sessionId":"c","title":"Explorer""#)
        let child = try #require(sessions.sessions["c"])
        #expect(child.parentId == "s" && child.cwd == "/w" && sessions.sessions["s"]?.parentId == nil)
        #expect(child.title == "Explorer")
        update(sessions, "c", #""sessionUpdate":"state_update","state":"running""#)
        #expect(child.isRunning && sessions.sessions["s"]?.activity.isBusy == true)
        #expect(sessions.sessions["s"]?.isRunning == false)
        editor(sessions, #"{"id":2,"method":"session/close","params":{"sessionId":"s"}}"#)
        agent(sessions, #"{"id":2,"result":{}}"#)
        #expect(sessions.sessions.isEmpty && !child.isLive)
        await end(sessions, rig)
    }
}
