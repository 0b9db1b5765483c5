import Agents
import Diagnostics
import EventLoop
import Metrics
import SessionStreams
import Tinyvex

/// Observes agents and sessions for the daemon's own log and for `/metrics`.
@LoopActor final class ActivityWatch {
    private let lifecycle = LifecycleLog()
    private var metrics = ActivityMetrics()
    private let time: any TimeSource

    init(time: any TimeSource) { self.time = time }

    /// Takes over agents and sessions that an earlier program has started.
    func adopt(_ runs: [AgentRun], _ sessions: [Session]) {
        lifecycle.adopt(runs)
        for session in sessions where session.isRunning { metrics.adopt(ObjectIdentifier(session)) }
    }

    func changed(_ runs: [AgentRun]) {
        for run in lifecycle.changed(runs) { metrics.agentStarted(run.name) }
    }

    /// A session has begun, ended, or been described, or a turn has begun or ended.
    func changed(_ session: Session) {
        let key = ObjectIdentifier(session)
        metrics.changed(key, isRunning: session.isRunning, at: time.now.nanoseconds)
        if session.isComplete { metrics.ended(key) }
        lifecycle.changed(session)
    }

    /// An entry was added to a session's timeline.
    func noted(_ kind: TimelineEntryKind, _ body: [UInt8], of session: Session) {
        metrics.noted(
            kind.rawValue, body, of: ObjectIdentifier(session), agent: session.agent, at: time.now.nanoseconds)
    }

    func write(to text: inout MetricsText) { metrics.write(to: &text) }
}
