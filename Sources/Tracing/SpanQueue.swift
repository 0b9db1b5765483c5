/// The spans that wait for the collector, and the one request that is in flight. Pure. Times are milliseconds of one
/// clock.
package struct SpanQueue: Sendable {
    /// 4 MiB and 4,096 spans, some thousand turns: what an unreachable collector can cost. The oldest are dropped.
    static let limitBytes = 4 << 20
    static let limitSpans = 4_096
    /// 512 KiB and 512 spans: collectors accept at least 4 MiB by default.
    static let batchBytes = 512 << 10
    static let batchSpans = 512
    private static let firstPause: Int64 = 1_000
    private static let longestPause: Int64 = 60_000

    package enum Outcome: Sendable, Equatable {
        case delivered
        /// The collector will never accept these spans.
        case refused
        /// The same spans can be sent again.
        case unavailable

        /// - Parameter status: The HTTP status; 0 without an answer. Source: OTLP 1.x, "Failures".
        package init(status: Int) {
            switch status {
            case 200..<300: self = .delivered
            case 0, 429, 502, 503, 504: self = .unavailable
            default: self = .refused
            }
        }
    }

    private var waiting: [[UInt8]] = []
    private var waitingBytes = 0
    private var inFlight: [[UInt8]]?
    private var pause: Int64 = 0
    private var notBefore: Int64 = 0
    package private(set) var deliveredSpans: Int64 = 0
    /// Spans that were refused, or dropped because too many waited.
    package private(set) var droppedSpans: Int64 = 0

    package init() {}

    package mutating func add(_ spans: [[UInt8]]) {
        waiting += spans
        waitingBytes += spans.reduce(0) { $0 + $1.count }
        dropOldest()
    }

    /// Spans that could not be made, for example because too many turns ended at once.
    package mutating func noteDropped(_ count: Int64) { droppedSpans += count }

    /// True if nothing waits and no request is in flight.
    package var isEmpty: Bool { waiting.isEmpty && inFlight == nil }

    /// Ends the pause after an unavailable collector, for a last attempt.
    package mutating func endPause() { notBefore = .min }

    /// When ``next(at:)`` returns spans; nil if nothing waits or a request is in flight.
    package var due: Int64? { inFlight == nil && !waiting.isEmpty ? notBefore : nil }

    /// Returns the spans of the next request; nil if none can be sent now. A call of ``finished(_:at:)`` must follow.
    package mutating func next(at now: Int64) -> [[UInt8]]? {
        guard let due, now >= due else { return nil }
        var bytes = 0
        let batch = waiting.prefix(Self.batchSpans).enumerated().prefix { index, span in
            bytes += span.count
            return index == 0 || bytes <= Self.batchBytes
        }.map(\.element)
        waiting.removeFirst(batch.count)
        waitingBytes -= batch.reduce(0) { $0 + $1.count }
        inFlight = batch
        return batch
    }

    package mutating func finished(_ outcome: Outcome, at now: Int64) {
        guard let batch = inFlight else { return }
        inFlight = nil
        switch outcome {
        case .delivered: deliveredSpans += Int64(batch.count)
        case .refused: droppedSpans += Int64(batch.count)
        case .unavailable:
            waiting.insert(contentsOf: batch, at: 0)
            waitingBytes += batch.reduce(0) { $0 + $1.count }
            dropOldest()
        }
        pause = outcome == .unavailable ? min(max(Self.firstPause, pause * 2), Self.longestPause) : 0
        notBefore = now + pause
    }

    private mutating func dropOldest() {
        var count = 0
        while count < waiting.count, waiting.count - count > Self.limitSpans || waitingBytes > Self.limitBytes {
            waitingBytes -= waiting[count].count
            count += 1
        }
        waiting.removeFirst(count)
        droppedSpans += Int64(count)
    }
}
