import Access
import AgentProcess
import Clients
import FileStore
import Functions
import LogAccess
import SessionRecords
import SessionStreams
import TestSupport

@testable import Agents
@testable import Bridge
@testable import EventLoop
@testable import Posix

/// A log that answers when the test calls for it. It stores nothing.
@LoopActor final class FakeLog: LogClient {
    let damaged: (path: String, rescuedSessions: Int)? = nil
    var syncFailed: @LoopActor (LogError?) -> Void = { _ in }
    var filesRestored: @LoopActor ([String]) -> Void = { _ in }
    var filesLost: @LoopActor (LogError) -> Void = { _ in }
    private var writes: [(WriteRequest.Operation, @LoopActor (Answer) -> Void)] = []
    private var head: Int64 = 0
    private var timelineHead: Int64 = 0

    nonisolated init() {}

    var isIdle: Bool { writes.isEmpty }
    func read(_ request: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) {}
    func checkFiles() {}
    func close() {}

    func write(_ request: WriteRequest.Operation, then action: @escaping @LoopActor (Answer) -> Void) {
        writes.append((request, action))
    }

    /// Answers all requests, including those that the answers cause.
    func answerAll() {
        while !writes.isEmpty {
            let (request, action) = writes.removeFirst()
            action(answer(to: request))
        }
    }

    private func answer(to request: WriteRequest.Operation) -> Answer {
        switch request {
        case .claim:
            let journal = Journal(logId: 1, sid: 1, epoch: 1)
            return .claimed(Lease(journal: journal, oldest: 1, head: 0, timelineHead: 0, wasCreated: true))
        case .append(_, _, _, let items):
            head += items.reduce(0) { $0 + Int64($1.lineCount) }
            timelineHead += items.reduce(0) { $0 + Int64(max(1, $1.lineCount)) }
            return .appended(head: head, timelineHead: timelineHead)
        default: return .described
        }
    }
}

/// The parts of a bridge without listeners, on a loop that the test drives. Agents are real processes on the process's
/// loop.
@LoopActor final class BridgeParts {
    let loop = ManualLoop()
    let log = FakeLog()
    let registry: SessionRegistry
    let agents: AgentPool
    let clients: ClientTable
    let audit: AuditLog
    private let folder = TemporaryFolder()

    init() throws {
        let home = Home(root: folder.path)
        try home.prepare()
        registry = SessionRegistry(log: log, limits: Limits(), services: loop.services, loop: nil)
        Self.registries.append(registry)
        audit = AuditLog(path: home.audit, limitBytes: 1 << 20, time: loop)
        agents = AgentPool(
            registry: registry, audit: audit,
            settings: AgentPool.Settings(limit: 4, permissionLimit: nil, coreLimit: nil) {
                (name) throws(AgentUnavailable) in throw AgentUnavailable("no agent \(name)")
            }, record: AgentRecordFile(path: home.agentRecord, continuing: []))
        let authenticator = Authenticator(
            own: try AccessToken.load(path: home.token), file: TokenFile(home), issuers: nil)
        let functions = Functions(
            registry: registry, agents: agents, audit: audit, authenticator: authenticator,
            files: FileStore(path: home.files, limits: FileLimits(), services: loop.services), profiles: { [] },
            services: loop.services)
        clients = ClientTable(
            ClientServices(
                limits: Limits(), registry: registry, agents: agents, functions: functions, audit: audit,
                loop: loop.services),
            authenticator: authenticator, connectionCount: ConnectionCount(limit: 10, perAddress: 10), user: 1,
            version: "1.2.3")
    }

    /// Sessions refer to their registry without keeping it alive, because a bridge never releases it.
    private static var registries: [SessionRegistry] = []

    /// Starts a process in an agent's place, which reads its input until the end.
    func launch() throws -> AgentRun {
        try agents.launch(
            LaunchRequest(
                agent: "demo", command: ["/bin/cat"], directory: "/", environment: [], fileModeMask: 0o22,
                openFilesLimit: 1024)
        ) { _ in }
    }
}
