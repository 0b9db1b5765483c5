import ACPMethods
import ACPRouting
import AgentProcess
import Diagnostics
import EventLoop
import JSONScan
import Posix

/// The data for a restart of an agent: how the agent was started, and the earlier restarts. It is part of a hand-over.
package struct RestartPlan: Sendable, Equatable, Codable {
    let request: LaunchRequest
    var machine = RestartMachine()

    init(_ request: LaunchRequest) { self.request = request }
}

/// An agent that will be started again.
struct WaitingRestart: Sendable, Equatable, Codable {
    /// With the attempt that waits.
    let plan: RestartPlan
    let work: InterruptedWork
    let agent: String
    let tenant: String?
}

/// Starts agents again that have failed while no client had them, if their profiles ask for it, and continues their
/// sessions.
@LoopActor package final class AgentRestarts {
    /// Starts an agent without any client. Set once, before the first agent.
    var start: @LoopActor (RestartPlan, String?) throws(SpawnError) -> AgentRun = { _, _ throws(SpawnError) in
        throw .failed(program: "acpbridge", reason: "there is no bridge")
    }
    /// True if another agent of this name and tenant has the session now, or is opening it.
    var isRunning: @LoopActor (_ session: String, _ of: (agent: String, tenant: String?)) -> Bool = { _, _ in false }

    private let loop: LoopServices
    private var pending: [Int: Pending] = [:]
    private var pendingCount = 0
    /// The sessions that restarted agents have not continued yet, by agent. An agent that fails first is started again for
    /// them.
    private var waiting: [ObjectIdentifier: InterruptedWork] = [:]

    /// An agent that waits for its restart. There are at most as many as agents.
    private struct Pending {
        let restart: WaitingRestart
        let time: Instant
    }

    init(_ loop: LoopServices) { self.loop = loop }

    /// A sentence for each agent that waits for its restart.
    package var warnings: [String] {
        pending.values.map {
            "The agent \($0.restart.agent) has failed and will be started again "
                + "(attempt \($0.restart.plan.machine.attempts) of \(RestartMachine.attemptLimit))."
        }.sorted()
    }

    private func waitingWork(of run: AgentRun) -> InterruptedWork? { waiting[ObjectIdentifier(run)] }

    /// Call after an agent has ended.
    func ended(_ run: AgentRun) {
        let rest = waiting.removeValue(forKey: ObjectIdentifier(run))
        guard run.hasFailedUnattended, let plan = run.restartPlan,
            let work = InterruptedWork.union(run.interruptedWork, rest)
        else {
            return
        }
        let milliseconds = max(0, loop.time.dateMilliseconds - run.startedAt)
        schedule(plan, work, agent: run.name, tenant: run.tenant, afterRunning: .milliseconds(milliseconds))
    }

    private func schedule(
        _ plan: RestartPlan, _ work: InterruptedWork, agent: String, tenant: String?, afterRunning time: Duration
    ) {
        var plan = plan
        let verdict = plan.machine.failed(afterRunning: time)
        let attempt = plan.machine.attempts
        guard case .restart(let pause) = verdict else {
            return DiagnosticLog.daemon.record(.agentGivenUp(agent: agent, attempts: attempt))
        }
        DiagnosticLog.daemon.record(
            .agentRestarting(agent: agent, attempt: attempt, seconds: pause.components.seconds))
        wait(pause, WaitingRestart(plan: plan, work: work, agent: agent, tenant: tenant))
    }

    private func wait(_ pause: Duration, _ restart: WaitingRestart) {
        pendingCount += 1
        let number = pendingCount
        pending[number] = Pending(restart: restart, time: loop.time.now + pause)
        loop.timers.schedule(after: pause) { [weak self] in
            guard let self else { return }
            pending[number] = nil
            perform(restart)
        }
    }

    private func perform(_ restart: WaitingRestart) {
        let (plan, work, agent, tenant) = (restart.plan, restart.work, restart.agent, restart.tenant)
        // An editor or another client can have opened the session meanwhile.
        guard work.sessions.contains(where: { !isRunning($0.id, (agent, tenant)) }) else { return }
        do throws(SpawnError) {
            let run = try start(plan, tenant)
            waiting[ObjectIdentifier(run)] = work
            resume(work, in: run)
        } catch {
            DiagnosticLog.daemon.record(.failed(doing: "starting an agent again", error: error.description))
            schedule(plan, work, agent: agent, tenant: tenant, afterRunning: .zero)
        }
    }

    private func resume(_ work: InterruptedWork, in run: AgentRun) {
        let params = try? JSONValue(validating: work.initializeParams)
        run.ask(ACPMethod.initialize.name, params, by: "acpbridge") { [weak self, weak run] reply in
            guard let self, let run else { return }
            guard reply.result != nil else { return fail(run) }
            let sessions = work.sessions.filter { !self.isRunning($0.id, (run.name, run.tenant)) }
            guard !sessions.isEmpty else { return allAnswered(run) }
            var unanswered = sessions.count
            for session in sessions {
                let params = try? JSONValue(validating: SessionOpening.params(of: session.id, in: session.folder))
                run.ask(work.method, params, by: "acpbridge") { [weak self, weak run] reply in
                    guard let self, let run, !run.isEnding else { return }
                    unanswered -= 1
                    waiting[ObjectIdentifier(run)]?.remove(session.id)
                    if reply.result == nil { Self.recordRefusal(by: run) }
                    if unanswered == 0 { allAnswered(run) }
                }
            }
        }
    }

    /// The answer is not logged: it can contain anything.
    private static func recordRefusal(by run: AgentRun) {
        DiagnosticLog.daemon.record(
            .failed(doing: "continuing a session after a restart", error: "\(run.name) has refused it"))
    }

    private func fail(_ run: AgentRun) {
        guard !run.isEnding else { return }
        Self.recordRefusal(by: run)
        run.end()
    }

    /// An agent that has none of its sessions is of no use.
    private func allAnswered(_ run: AgentRun) {
        waiting[ObjectIdentifier(run)] = nil
        if run.sessions?.sessions.values.contains(where: \.isLive) != true { run.end() }
    }
}

// MARK: - Hand-over

extension AgentRestarts {
    /// The restarts that the next program performs.
    package struct State: Sendable, Equatable, Codable {
        struct Waiting: Sendable, Equatable, Codable {
            let restart: WaitingRestart
            /// The rest of the pause.
            let rest: Duration
        }

        /// An agent that has been started again and has not continued its sessions yet.
        struct Started: Sendable, Equatable, Codable {
            let pid: Int32
            let work: InterruptedWork
        }

        var waiting: [Waiting]
        var started: [Started]
    }

    /// - Parameter runs: all agents.
    package func state(_ runs: [AgentRun]) -> State {
        let now = loop.time.now
        let waiting = pending.sorted { $0.key < $1.key }.map { _, pending in
            State.Waiting(restart: pending.restart, rest: max(.zero, pending.time - now))
        }
        let started = runs.compactMap { run in
            waitingWork(of: run).map { State.Started(pid: run.pid, work: $0) }
        }
        return State(waiting: waiting, started: started)
    }

    /// Continues with the state of the previous program, whose agents were adopted before.
    ///
    /// The answers to the requests of the previous program are lost, so an agent that had not continued any session is
    /// ended, and started once more.
    package func adopt(_ state: State, _ runs: [AgentRun]) {
        for waiting in state.waiting { wait(waiting.rest, waiting.restart) }
        for started in state.started {
            guard let run = runs.first(where: { $0.pid == started.pid }), let plan = run.restartPlan else { continue }
            let live = (run.sessions?.sessions.values).map { $0.filter(\.isLive) } ?? []
            guard live.isEmpty else {
                var rest = started.work
                for session in live { rest.remove(session.id) }
                waiting[ObjectIdentifier(run)] = rest
                continue
            }
            run.end()
            schedule(plan, started.work, agent: run.name, tenant: run.tenant, afterRunning: .zero)
        }
    }
}
