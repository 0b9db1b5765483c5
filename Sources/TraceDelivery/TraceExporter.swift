import Diagnostics
import EventLoop
import OutgoingHTTP
import Posix
import Tracing

/// The collector of traces, and what it gets.
package struct TraceSettings: Sendable, Equatable {
    /// The URL that takes OTLP over HTTP: `http://127.0.0.1:4318/v1/traces`.
    package let url: String
    /// Spans contain prompts, titles, arguments and texts of errors.
    package let includesContent: Bool
    /// The version of this program.
    package let version: String
    /// Fields that the collector requires. They are secret.
    package let fields: CollectorFields

    /// - Parameter endpoint: The collector's base URL, as in `OTEL_EXPORTER_OTLP_ENDPOINT`. `/v1/traces` is appended.
    package init(
        endpoint: String, includesContent: Bool, version: String, fields: CollectorFields = CollectorFields()
    ) {
        url = (endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint) + "/v1/traces"
        self.includesContent = includesContent
        self.version = version
        self.fields = fields
    }
}

/// Sends spans to the collector, one request at a time, on a thread of its own.
@LoopActor final class TraceExporter {
    private let settings: TraceSettings
    private let jobs: BackgroundJobs
    private let services: LoopServices
    private var queue = SpanQueue()
    private var timer: Timer?
    /// Called after each request. Nil until the bridge ends.
    private var onAttempt: (@LoopActor () -> Void)?
    /// The last attempt for the waiting spans has failed.
    private var hasGivenUp = false

    init(_ settings: TraceSettings, services: LoopServices) throws(SystemError) {
        self.settings = settings
        self.services = services
        jobs = try BackgroundJobs("traces", services)
    }

    var deliveredSpans: Int64 { queue.deliveredSpans }
    var droppedSpans: Int64 { queue.droppedSpans }

    func add(_ spans: [TraceSpan]) {
        queue.add(spans.map { OTLPRequest.text(of: $0) })
        send()
    }

    /// True if nothing more will be sent before the bridge ends.
    var isDone: Bool { queue.isEmpty || hasGivenUp }

    /// Sends what waits, without pauses. A collector that is not available now is not tried again.
    ///
    /// - Parameter report: Called after each request.
    func end(_ report: @escaping @LoopActor () -> Void) {
        onAttempt = report
        queue.endPause()
        send()
    }

    func noteDropped() { queue.noteDropped(1) }

    private var milliseconds: Int64 { services.time.now.nanoseconds / 1_000_000 }

    private func send() {
        guard let spans = queue.next(at: milliseconds) else { return reschedule() }
        let (settings, pid) = (settings, ProcessFacts.pid)
        let fields = ["Content-Type: \(OTLPRequest.contentType)"] + settings.fields.lines
        let begun: Void? = orLog("starting a thread for traces") { () throws(SystemError) in
            try jobs.run {
                let body = OTLPRequest.body(spans, version: settings.version, pid: pid)
                return HTTPPost.send(body, to: settings.url, fields: fields)
            } then: { [weak self] answer in
                self?.finished(answer)
            }
        }
        if begun == nil { ended(.unavailable) }
    }

    private func finished(_ answer: HTTPPost.Answer) {
        let outcome = SpanQueue.Outcome(status: answer.status)
        if outcome != .delivered {
            let reason = answer.status == 0 ? answer.failure : "the collector answered \(answer.status)"
            DiagnosticLog.daemon.record(.failed(doing: "sending traces", error: reason))
        }
        ended(outcome)
    }

    private func ended(_ outcome: SpanQueue.Outcome) {
        queue.finished(outcome, at: milliseconds)
        if let onAttempt {
            hasGivenUp = outcome == .unavailable
            if !hasGivenUp { send() }
            return onAttempt()
        }
        if outcome == .unavailable { reschedule() } else { send() }
    }

    private func reschedule() {
        timer?.cancel()
        timer = nil
        guard let due = queue.due else { return }
        timer = services.timers.schedule(after: .milliseconds(max(1, due - milliseconds))) { [weak self] in
            self?.send()
        }
    }
}
