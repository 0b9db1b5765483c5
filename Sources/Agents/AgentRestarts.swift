import AgentProcess
import Diagnostics
import EventLoop
import JSONScan
import Posix

/// What a restart of an agent needs: how the agent was started, and the earlier restarts. It is part of a hand-over.
package struct RestartPlan: Sendable, Equatable, Codable {
    let request: LaunchRequest
    var machine = RestartMachine()

    init(_ request: LaunchRequest) { self.request = request }
}

/// Starts agents again that have failed while no client had them, if their profiles ask for it, and continues their
/// sessions.
@LoopActor package final class AgentRestarts {
    /// Starts an agent without any client. Set once, before the first agent.
    var start: @LoopActor (RestartPlan, String?) throws(SpawnError) -> AgentRun = { _, _ throws(SpawnError) in
        throw .failed(program: "acpbridge", reason: "there is no bridge")
    }
    /// True if another agent has the session now.
    var isRunning: @LoopActor (_ agent: String, _ session: String) -> Bool = { _, _ in false }

    private let loop: LoopServices
    private var pending: [Int: Pending] = [:]
    private var pendingCount = 0
    /// The sessions that restarted agents have not continued yet, by agent. An agent that fails first is started again for
    /// them.
    private var waiting: [ObjectIdentifier: InterruptedWork] = [:]

    /// An agent that waits for its restart. There are at most as many as agents.
    private struct Pending {
        let agent: String
        let attempt: Int
    }

    init(_ loop: LoopServices) { self.loop = loop }

    /// A sentence for each agent that waits for its restart.
    package var warnings: [String] {
        pending.values.map {
            "The agent \($0.agent) has failed and will be started again "
                + "(attempt \($0.attempt) of \(RestartMachine.attemptLimit))."
        }.sorted()
    }

    /// Call after an agent has ended.
    func ended(_ run: AgentRun) {
        let rest = waiting.removeValue(forKey: ObjectIdentifier(run))
        guard run.hasFailedUnattended, let plan = run.restartPlan, let work = run.interruptedWork ?? rest else {
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
        pendingCount += 1
        let number = pendingCount
        pending[number] = Pending(agent: agent, attempt: attempt)
        loop.timers.schedule(after: pause) { [weak self] in
            guard let self else { return }
            pending[number] = nil
            restart(plan, work, agent: agent, tenant: tenant)
        }
    }

    private func restart(_ plan: RestartPlan, _ work: InterruptedWork, agent: String, tenant: String?) {
        // An editor or another client can have opened the session meanwhile.
        guard work.sessions.contains(where: { !isRunning(agent, $0.id) }) else { return }
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
        run.ask("initialize", params, by: "acpbridge") { [weak self, weak run] reply in
            guard let self, let run else { return }
            guard reply.result != nil else { return fail(run) }
            for session in work.sessions where !isRunning(run.name, session.id) {
                let params = try? JSONValue(validating: InterruptedWork.params(of: session))
                run.ask(work.method, params, by: "acpbridge") { [weak self, weak run] reply in
                    guard let self, let run else { return }
                    if reply.result == nil { fail(run) } else { waiting[ObjectIdentifier(run)] = nil }
                }
            }
        }
    }

    /// An agent that has none of its sessions is of no use. The agent's answer is not logged: it can contain anything.
    private func fail(_ run: AgentRun) {
        guard !run.isEnding else { return }
        DiagnosticLog.daemon.record(
            .failed(doing: "continuing a session after a restart", error: "\(run.name) has refused it"))
        if run.sessions?.sessions.values.contains(where: \.isLive) != true { run.end() }
    }
}
