import EventLoop
import Posix
import SessionRecords
import SessionStreams
import Tracing

/// Sends a trace of each turn to a collector. The spans come from the log, after the turn has ended, so agents and
/// readers are not affected.
@LoopActor package final class TurnTracer {
    private let settings: TraceSettings
    private let registry: SessionRegistry
    private let services: LoopServices
    private let exporter: TraceExporter
    private let ids = TraceIds { RandomText.hexadecimal(byteCount: $0) ?? String(repeating: "1", count: 2 * $0) }
    /// The timeline's number before each running turn; nil if the turn began under an earlier program.
    private var running: [ObjectIdentifier: Int64?] = [:]
    /// Turns that have ended and are not read yet.
    private var waiting: [EndedTurn] = []
    private var isReading = false
    /// Turns that have ended and are not stored yet.
    private var settlingTurns = 0
    private var ending = Ending.none

    private enum Ending {
        case none
        case draining(@LoopActor () -> Void)
        case drained
    }

    private struct EndedTurn {
        let session: Session
        /// The timeline's number before the turn.
        let after: Int64
        /// Milliseconds since 1970.
        let endedTs: Int64
    }

    /// The traces of further turns are dropped.
    private static let waitingLimit = 256
    /// 64 MiB of one turn's timeline. The trace of a longer turn is cut.
    private static let pageLimit = 256
    /// The end of a turn is noted on the timeline shortly after it was noticed.
    private static let settling = Duration.milliseconds(100)
    /// How long the end of the bridge waits for the log and the collector.
    private static let endPatience = Duration.seconds(2)

    package init(_ settings: TraceSettings, _ registry: SessionRegistry, services: LoopServices) throws(SystemError) {
        self.settings = settings
        self.registry = registry
        self.services = services
        exporter = try TraceExporter(settings, services: services)
    }

    package var deliveredSpans: Int64 { exporter.deliveredSpans }
    /// Spans that the collector refused or that were dropped. A turn that was not read counts as one.
    package var droppedSpans: Int64 { exporter.droppedSpans }

    /// The session runs a turn that began under the program before this one. Its beginning is not known.
    package func adopt(_ session: Session) { running[ObjectIdentifier(session)] = .some(nil) }

    /// Call after each change of a session.
    package func changed(_ session: Session) {
        let key = ObjectIdentifier(session)
        if session.isRunning, session.isLive {
            if running[key] == nil { running[key] = .some(session.timelineHead) }
        } else if let start = running.removeValue(forKey: key), let start {
            let turn = EndedTurn(session: session, after: start, endedTs: services.time.dateMilliseconds)
            settlingTurns += 1
            services.timers.schedule(after: Self.settling) { [weak self] in self?.settled(turn) }
        }
    }

    /// Reads the turn when it is stored.
    private func settled(_ turn: EndedTurn) {
        turn.session.whenPublished(through: turn.session.receivedBytes) { [weak self] in self?.enqueue(turn) }
    }

    private func enqueue(_ turn: EndedTurn) {
        settlingTurns -= 1
        defer { checkDrained() }
        guard waiting.count < Self.waitingLimit else { return exporter.noteDropped() }
        waiting.append(turn)
        readNext()
    }

    private func readNext() {
        guard !isReading, !waiting.isEmpty else { return }
        let turn = waiting.removeFirst()
        guard let sid = turn.session.sid else {
            exporter.noteDropped()
            return readNext()
        }
        isReading = true
        let trace = TurnTrace(
            of: .init(agent: turn.session.agent, id: turn.session.id), includesContent: settings.includesContent,
            ids: ids)
        read(turn, sid, after: turn.after, into: trace, pagesLeft: Self.pageLimit)
    }

    private func read(_ turn: EndedTurn, _ sid: Int64, after: Int64, into trace: TurnTrace, pagesLeft: Int) {
        registry.log.read(.timeline(sid: sid, after: after)) { [weak self] answer in
            guard let self else { return }
            var trace = trace
            guard case .timeline(let page) = answer, let last = page.items.last else { return finish(trace) }
            for item in page.items {
                switch item {
                case .update(_, _, let ts, let line): trace.update(line.span, at: ts)
                case .entry(_, _, let ts, let kind, let body): trace.entry(kind, body, at: ts)
                }
            }
            if trace.isEnded || page.isAtEnd { return finish(trace) }
            guard pagesLeft > 1 else {
                trace.cut(at: turn.endedTs)
                return finish(trace)
            }
            read(turn, sid, after: last.n, into: trace, pagesLeft: pagesLeft - 1)
        }
    }

    private func finish(_ trace: TurnTrace) {
        isReading = false
        let spans = trace.spans()
        if !spans.isEmpty { exporter.add(spans) }
        readNext()
        checkDrained()
    }

    // MARK: The end

    /// Sends the spans of all ended turns, and calls `action` when the collector has answered, or after
    /// ``endPatience``. Call while the log is open, when no turn runs.
    package func drain(then action: @escaping @LoopActor () -> Void) {
        guard case .none = ending else { return }
        ending = .draining(action)
        exporter.end { [weak self] in self?.checkDrained() }
        services.timers.schedule(after: Self.endPatience) { [weak self] in self?.drained() }
        // The caller is in the middle of other work, so the action is called later.
        services.timers.soon { [weak self] in self?.checkDrained() }
    }

    /// True after ``drain(then:)`` has called its action.
    package var isDrained: Bool { if case .drained = ending { true } else { false } }

    private func checkDrained() {
        guard settlingTurns == 0, waiting.isEmpty, !isReading, exporter.isDone else { return }
        drained()
    }

    private func drained() {
        guard case .draining(let action) = ending else { return }
        ending = .drained
        action()
    }
}
