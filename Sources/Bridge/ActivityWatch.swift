import ACPRouting
import Agents
import Diagnostics
import EventLoop
import Metrics
import SessionStreams
import Tinyvex
import TraceDelivery

/// Observes agents and sessions for the daemon's own log, for `/metrics` and for traces.
@LoopActor final class ActivityWatch {
    private let lifecycle = LifecycleLog()
    private var metrics = ActivityMetrics()
    private let time: any TimeSource
    /// The sessions that are not complete. A complete one is described and labelled, too, and consumes nothing more.
    private var live: Set<ObjectIdentifier> = []

    /// Nil without a collector of traces.
    private let tracer: TurnTracer?

    init(time: any TimeSource, tracer: TurnTracer? = nil) {
        self.time = time
        self.tracer = tracer
    }

    /// True if the collector of traces needs no more time before the bridge ends.
    var isDrained: Bool { tracer?.isDrained != false }

    /// Sends the remaining traces, and calls `action` after 2 s at the latest.
    func drain(then action: @escaping @LoopActor () -> Void) { tracer?.drain(then: action) }

    /// Takes over agents and sessions that an earlier program has started.
    func adopt(_ runs: [AgentRun], _ sessions: [Session]) {
        lifecycle.adopt(runs)
        for session in sessions where !session.isComplete {
            live.insert(ObjectIdentifier(session))
            noteConsumption(of: session, isAdopted: true)
        }
        for session in sessions where session.isRunning {
            metrics.adopt(ObjectIdentifier(session))
            tracer?.adopt(session)
        }
    }

    func changed(_ runs: [AgentRun]) {
        for run in lifecycle.changed(runs) { metrics.agentStarted(run.name) }
    }

    /// A session has begun, ended, or been described, or a turn has begun or ended.
    func changed(_ session: Session) {
        let key = ObjectIdentifier(session)
        metrics.changed(key, isRunning: session.isRunning, at: time.now.nanoseconds)
        if !session.isComplete {
            live.insert(key)
            noteConsumption(of: session)
        } else if live.remove(key) != nil {
            noteConsumption(of: session)
            metrics.ended(key)
        }
        tracer?.changed(session)
        lifecycle.changed(session)
    }

    /// An entry was added to a session's timeline.
    func noted(_ kind: TimelineEntryKind, _ body: [UInt8], of session: Session) {
        metrics.noted(
            kind.rawValue, body, of: ObjectIdentifier(session), agent: session.agent, at: time.now.nanoseconds)
        if kind == .turnEnd { noteConsumption(of: session) }
    }

    /// ACP version 2: the agent has reported the end of a turn. Turns of children are not counted, as in version 1.
    func workEnded(_ outcome: [UInt8], of session: Session) {
        if session.parentId == nil { metrics.turnEnded(outcome, agent: session.agent) }
        noteConsumption(of: session)
    }

    /// The tokens and costs of children can overlap with those of their parents.
    private func noteConsumption(of session: Session, isAdopted: Bool = false) {
        guard session.parentId == nil, let usage = session.usage else { return }
        let (tokens, cost) = (usage.tokensOfRun, usage.costOfRun)
        guard tokens.total > 0 || cost != nil else { return }
        let kinds = [
            "input": tokens.input, "output": tokens.output, "cached_read": tokens.cachedRead,
            "cached_write": tokens.cachedWrite,
        ]
        metrics.consumed(
            .init(tokens: kinds, cost: cost.map { ($0.amount, $0.currency) }), in: ObjectIdentifier(session),
            agent: session.agent, isAdopted: isAdopted)
    }

    func write(to text: inout MetricsText) {
        metrics.write(to: &text)
        guard let tracer else { return }
        text.write(
            "acpbridge_trace_spans_delivered_total", .counter, "Spans that the collector took.", tracer.deliveredSpans)
        text.write(
            "acpbridge_trace_spans_dropped_total", .counter, "Spans that the collector did not get.",
            tracer.droppedSpans)
    }
}
