import ACPRouting
import JSONRPC
import JSONScan
import LogAccess
import SessionRecords
import SessionStreams
import TestSupport
import Testing
import Tinyvex

@testable import Access
@testable import AgentProcess
@testable import Agents
@testable import Clients
@testable import EventLoop
@testable import Posix

@LoopActor private final class FakeConnection: RemoteClientConnection {
    let id = "c"
    var identity = Identity(who: "tester", role: .control)
    var sent: [JSONValue] = []
    var notices = 0
    var ending: TerminationStatus?
    var isClosedAsSlow = false

    nonisolated init() {}

    func send(_ message: [UInt8]) { if let value = try? JSONValue(validating: message) { sent.append(value) } }
    func updateReader(of session: any LineSession) -> (any UpdateReader)? { nil }
    func notify(_ notice: [UInt8]) { notices += 1 }
    func removeReader(of session: Session) {}
    func addReader(of session: Session, from next: Int64, prepare: (any UpdateReader) -> Void) {}
    func sendHistory(of session: Session, addsPrompts: Bool, then action: @escaping @LoopActor (Int64) -> Void) {
        action(1)
    }
    func closeAfterAgent(_ status: TerminationStatus) { ending = status }
    func closeSlowClient() { isClosedAsSlow = true }
    private(set) var isClosedBeforeSlowAgent = false
    func closeBeforeSlowAgent() { isClosedBeforeSlowAgent = true }
}

/// A bridge without running agents. Each client names its agent's profile. The only profile is `mortal`: its agent exits
/// with status 3 when it reads a line.
@LoopActor private final class FakeHost: RemoteClientHost {
    let agents: AgentPool
    let registry: SessionRegistry
    let audit: AuditLog
    let loop = ManualLoop()

    init(_ folder: TemporaryFolder) throws {
        registry = SessionRegistry(
            log: try SessionLogClient(path: folder.path + "/log", durability: .normal), limits: Limits())
        audit = AuditLog(path: folder.path + "/audit", limitBytes: 1 << 20)
        let settings = AgentPool.Settings(limit: 1, permissionLimit: nil, coreLimit: nil) {
            (name) throws(AgentUnavailable) in
            guard name == "mortal" else { throw AgentUnavailable("no agent \(name)") }
            return LaunchRequest(
                agent: name, command: ["sh", "-c", "read -r line; exit 3"], directory: "/",
                environment: ["PATH=/usr/bin:/bin"], fileModeMask: 0o022, openFilesLimit: 1024)
        }
        agents = AgentPool(
            registry: registry, audit: audit, settings: settings,
            record: AgentRecordFile(path: folder.path + "/agents", continuing: []))
    }

    var time: any TimeSource { loop }
    var timers: any TimerScheduler { loop }
    func keptRuns(like address: RemoteClientAddress, for identity: Identity) -> [AgentRun] { [] }
    func keptSessions(
        like address: RemoteClientAddress, for identity: Identity
    ) -> [(run: AgentRun, session: Session)] { [] }
    func mayBeTaken(_ run: AgentRun) -> Bool { false }
    func replaceAbsentOwner(of run: AgentRun, by action: @LoopActor () -> Void) { action() }
    func summary(of record: SessionRecord) -> SessionSummary {
        Issue.record("no session was listed")
        return SessionSummary(
            sessionId: record.sessionId, agent: record.agent, title: nil, cwd: nil, tags: [], isArchived: false,
            createdTs: 0, lastTs: 0, updateCount: 0, live: false, isRunning: false,
            journal: record.journal.description, end: nil)
    }
    func recordAnswer(
        to request: RequestID, _ outcome: JSONValue?, _ session: AuditEvent.SessionName, by identity: Identity
    ) {}
}

/// One client, and agents that run but are not read.
@LoopActor private final class Parts {
    private let folder = TemporaryFolder()
    let connection = FakeConnection()
    let host: FakeHost
    private let query: String
    private(set) lazy var client = RemoteClient(
        connection, address: RemoteClientAddress(query: query), followsSessions: true, host: host)
    private var runs: [AgentRun] = []

    init(query: String = "agent=demo") throws {
        self.query = query
        host = try FakeHost(folder)
    }

    /// Starts a process in an agent's place. The client has joined it under the number.
    func agent(_ name: String) throws -> AgentPlaces.Place {
        let request = SpawnRequest(command: ["/bin/cat"], directory: "/", environment: [])
        let run = try AgentRun(
            name: name, tenant: nil, request: request, lifetime: .standard,
            registry: host.registry
        ) { _, _ in }
        runs.append(run)
        return AgentPlaces.Place(run: run, number: runs.count)
    }

    func request(_ id: Int, _ method: String, _ params: String = "{}") {
        client.handle(
            RemoteClient.Request(
                id: RequestID(String(id)), method: method, params: try? JSONValue(validating: Array(params.utf8))))
    }

    var codes: [String?] { connection.sent.map { $0["error"]?["data"]?["code"]?.stringValue } }

    func end() {
        client.close()
        for run in runs { run.giveUp() }
        host.registry.log.close()
    }
}

@Suite(.serialized, .timeLimit(.minutes(1))) struct RemoteClientTests {
    init() { LoopThread.start }

    @Test @LoopActor func aClientWithoutRightsIsRefused() throws {
        let parts = try Parts()
        parts.connection.identity = .nobody
        parts.request(1, "initialize")
        #expect(parts.connection.sent.count == 1)
        #expect(parts.connection.sent.first?["error"] != nil)
        parts.end()
    }

    @Test @LoopActor func aRequestForAMissingAgentIsRefusedAndCanBeRepeated() throws {
        let parts = try Parts()
        parts.request(1, "initialize")
        parts.request(2, "initialize")
        #expect(parts.connection.sent.count == 2)
        for answer in parts.connection.sent {
            #expect(answer["error"]?["message"]?.stringValue?.contains("cannot be started") == true)
        }
        parts.end()
    }

    @Test @LoopActor func aRequestBeforeInitializeIsRefused() throws {
        let parts = try Parts()
        parts.request(1, "session/new")
        let message = parts.connection.sent.first?["error"]?["message"]?.stringValue
        #expect(message?.contains("begin with initialize") == true)
        parts.end()
    }

    /// An earlier fault: the requests reached the agent that had ended, and were never answered.
    @Test @LoopActor func requestsThatWaitForAnAgentAreAnsweredIfItEndsAtItsStart() async throws {
        let parts = try Parts(query: "agent=mortal")
        parts.client.state = .undecided(initialize: nil)
        parts.request(1, "session/new")
        parts.request(2, "session/list")
        #expect(parts.connection.sent.isEmpty)
        while parts.connection.ending == nil {
            await withCheckedContinuation { continuation in
                EventLoop.main.schedule(after: .milliseconds(1)) { continuation.resume() }
            }
        }
        #expect(parts.connection.ending == .exited(code: 3))
        #expect(parts.connection.sent.count == 2 && parts.connection.sent.allSatisfy { $0["error"] != nil })
        parts.end()
    }

    /// Also if the client's `initialize` was answered before the session's agent ended.
    @Test @LoopActor func aNewSessionAtASessionsURLStartsNoAgent() throws {
        let parts = try Parts(query: "session=s1")
        parts.client.state = .undecided(initialize: nil)
        for method in ["session/new", "session/fork", "session/prompt"] { parts.request(1, method) }
        #expect(parts.connection.sent.count == 3)
        for answer in parts.connection.sent {
            let message = answer["error"]?["message"]?.stringValue
            #expect(message == "no agent runs the session \"s1\"", "\(answer.rawString)")
        }
        #expect(parts.client.places.own == nil)
        parts.end()
    }

    @Test @LoopActor func aPingIsAnsweredWithoutAnAgent() throws {
        let parts = try Parts()
        parts.request(1, "$/ping")
        #expect(parts.connection.sent.map(\.rawString) == [#"{"jsonrpc":"2.0","id":"1","result":{}}"#])
        parts.end()
    }

    @Test(arguments: ["authenticate", "auth/login"])
    @LoopActor func aLoginOfAClientThatJoinedASessionStartsNoAgent(method: String) throws {
        let parts = try Parts()
        let place = try parts.agent("a")
        parts.client.restore(.undecided(initialize: nil), AgentPlaces(joined: [place]), AskedRequests())
        parts.request(1, method, #"{"methodId":"m"}"#)
        let error = parts.connection.sent.first?["error"]
        #expect(error?["data"]?["code"]?.stringValue == "TVX011")
        #expect(error?["message"]?.stringValue?.contains("changes the login") == true)
        parts.end()
    }

    @Test @LoopActor func anIdThatTwoAgentsUseIsReplaced() throws {
        let parts = try Parts()
        let (first, second) = (try parts.agent("a"), try parts.agent("b"))
        parts.client.restore(.running, AgentPlaces(own: first, joined: [second]), AskedRequests())
        let line = Array(#"{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{}}"#.utf8)
        parts.client.agentSent(line, after: nil, of: first.run)
        parts.client.agentSent(line, after: nil, of: second.run)
        #expect(parts.connection.sent.map { $0["id"]?.int64Value } == [1, nil])
        #expect(parts.connection.sent.last?["id"]?.stringValue == "acpbridge-1")
        // The second agent withdraws its request by its own id.
        let cancel = Array(#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}"#.utf8)
        parts.client.agentSent(cancel, after: nil, of: second.run)
        #expect(parts.connection.sent.last?["params"]?["requestId"]?.stringValue == "acpbridge-1")
        #expect(parts.client.asked.byName.count == 1)
        parts.end()
    }

    /// Without the limit, one hung agent and one client would fill the bridge's memory.
    @Test @LoopActor func anAgentThatDoesNotReadGetsNoMoreMessagesThanTheLimit() throws {
        let parts = try Parts()
        let run = try parts.agent("a").run
        try run.startForRemoteClient()
        let own = AgentPlaces.Place(
            run: run, number: run.admit(parts.client, name: "tester", isPrimary: true))
        parts.client.restore(.running, AgentPlaces(own: own), AskedRequests())
        let params = try JSONValue(validating: Array("{\"x\":\"\(String(repeating: "y", count: 1 << 20))\"}".utf8))
        for _ in 0..<63 { parts.client.notify("_x/y", params) }
        #expect(!own.run.isInputFull && !parts.connection.isClosedBeforeSlowAgent)
        for _ in 0..<63 { parts.client.notify("_x/y", params) }
        #expect(own.run.isInputFull && parts.connection.isClosedBeforeSlowAgent)
        parts.request(1, "_x/z")
        #expect(parts.codes == ["TVX012"])
        var reply: Reply?
        own.run.ask("_x/z", nil, by: "tester") { reply = $0 }
        #expect(reply?.error != nil)
        #expect(throws: ClientRefusal.inputIsFull) { try own.run.cancel("s", by: "tester") }
        parts.end()
    }

    @Test @LoopActor func theEndOfTheClientsOwnAgentClosesTheConnectionWithItsStatus() throws {
        let parts = try Parts()
        let (own, other) = (try parts.agent("a"), try parts.agent("b"))
        parts.client.restore(.running, AgentPlaces(own: own, joined: [other]), AskedRequests())
        parts.client.agentEnded(other.run, .exited(code: 1))
        #expect(parts.connection.ending == nil)
        parts.client.agentEnded(own.run, .exited(code: 3))
        #expect(parts.connection.ending == .exited(code: 3))
        parts.end()
    }

    @Test @LoopActor func theHandOverStateContainsPositionsAndOpenRequests() throws {
        let parts = try Parts()
        let place = try parts.agent("a")
        parts.client.restore(.running, AgentPlaces(own: place), AskedRequests(renamedCount: 4))
        let line = Array(#"{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{}}"#.utf8)
        parts.client.agentSent(line, after: nil, of: place.run)
        let state = try #require(parts.client.handedOver(following: []))
        #expect(state.own?.agent == place.run.pid && state.own?.number == place.number)
        #expect(state.asked.count == 1 && state.asked.first?.agent == place.run.pid)
        #expect(state.askedCount == 4 && state.hasInitialized && state.undecided == nil)
        parts.end()
    }
}
