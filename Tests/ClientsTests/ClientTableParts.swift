import Access
import AgentProcess
import FileStore
import Functions
import LogAccess
import SessionRecords
import SessionStreams
import TestSupport

@testable import Agents
@testable import Clients
@testable import EventLoop
@testable import Posix

/// A log that never answers.
@LoopActor final class SilentLog: LogClient {
    let damaged: (path: String, rescuedSessions: Int)? = nil
    var syncFailed: @LoopActor (LogError?) -> Void = { _ in }
    var filesRestored: @LoopActor ([String]) -> Void = { _ in }
    var filesLost: @LoopActor (LogError) -> Void = { _ in }

    nonisolated init() {}

    var isIdle: Bool { true }
    func write(_ request: WriteRequest.Operation, then action: @escaping @LoopActor (Answer) -> Void) {}
    func read(_ request: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) {}
    func checkFiles() {}
    func close() {}
}

/// A client table without clients, on a loop that the test drives. Agents are real processes on the process's loop.
@LoopActor final class ClientTableParts {
    let loop = ManualLoop()
    let registry: SessionRegistry
    let services: ClientServices
    let table: ClientTable
    private let folder = TemporaryFolder()

    init(_ limits: Limits = Limits()) throws {
        let home = Home(root: folder.path)
        try home.prepare()
        registry = SessionRegistry(log: SilentLog(), limits: limits, services: loop.services, loop: nil)
        let audit = AuditLog(path: home.audit, limitBytes: 1 << 20, time: loop)
        let agents = AgentPool(
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
        services = ClientServices(
            limits: limits, registry: registry, agents: agents, functions: functions, audit: audit,
            loop: loop.services)
        table = ClientTable(
            services, authenticator: authenticator, connectionCount: ConnectionCount(limit: 10, perAddress: 10),
            user: 1, version: "1.2.3")
    }
}
