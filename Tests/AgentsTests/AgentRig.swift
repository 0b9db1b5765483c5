import AgentProcess
import LogAccess
import SessionRecords
import TestSupport

@testable import ACPRouting
@testable import Access
@testable import Agents
@testable import EventLoop
@testable import Posix
@testable import SessionStreams

/// Starts agents with real processes and manual time. It is also the remote client of the agents.
@LoopActor final class AgentRig: AgentClient {
    let time = ManualLoop()
    var canControl = true
    private(set) var lines: [String] = []
    /// The time that each line for the client takes.
    var workOnLine = Duration.zero
    /// The end of the latest agent that has left.
    var status: TerminationStatus?
    let folder = TemporaryFolder()
    private let log: LogClient
    let registry: SessionRegistry
    private var waiting: [(condition: @LoopActor () -> Bool, done: CheckedContinuation<Void, Never>)] = []

    init() throws {
        log = try SessionLogClient(path: folder.path + "/log", durability: .normal)
        registry = SessionRegistry(log: log, limits: Limits())
        registry.onCompleted = { [weak self] in self?.wake() }
        Self.registries.append(registry)
    }

    /// Sessions refer to their registry without keeping it alive, because a bridge never releases it.
    private static var registries: [SessionRegistry] = []

    /// Manual time, with the loop's descriptors.
    var loop: LoopServices { LoopServices(time: time, timers: time, poller: EventLoop.main) }

    func run(_ command: SystemString..., policy: LingerPolicy = .standard) throws -> AgentRun {
        let request = SpawnRequest(command: command, directory: "/", environment: ["PATH=/usr/bin:/bin"])
        return try AgentRun(
            name: "test", tenant: nil, request: request, lifetime: policy, registry: registry,
            loop: loop
        ) { [weak self] _, status in
            self?.status = status
            self?.wake()
        }
    }

    /// Starts the run with this object as its primary.
    func becomePrimary(of run: AgentRun) throws -> RequestRouter.ClientNumber {
        try run.startForRemoteClient()
        let number = run.admit(self, name: "ann")
        run.makePrimary(number)
        return number
    }

    func agentSent(_ line: [UInt8], after session: Session?, of run: AgentRun) {
        lines.append(String(decoding: line, as: UTF8.self))
        time.pass(workOnLine)
        wake()
    }

    func childOpened(_ child: Session, of parent: Session, isNew: Bool) {}

    func agentEnded(_ run: AgentRun, _ status: TerminationStatus) {}

    func until(_ condition: @escaping @LoopActor () -> Bool) async {
        guard !condition() else { return }
        await withCheckedContinuation { waiting.append((condition, $0)) }
    }

    func wake() {
        waiting.removeAll { waiter in
            guard waiter.condition() else { return false }
            waiter.done.resume()
            return true
        }
    }

    /// Returns when all sessions have ended in the log.
    func close() async {
        await until { [registry] in registry.live.all.isEmpty }
        log.close()
    }
}
