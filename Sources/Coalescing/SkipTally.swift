/// Counts the updates that were left out on one subscription, and determines when to report them: immediately, and then
/// at most once a second. Times are measured from any fixed moment.
package struct SkipTally: Sendable {
    package static let interval = Duration.seconds(1)

    private var unreported: Int64 = 0
    private var total: Int64 = 0
    private var lastReport: Duration?

    package struct Report: Equatable, Sendable {
        /// The number of updates left out since the previous report.
        package let count: Int64
        /// The number of updates left out since the subscription began.
        package let total: Int64

        package init(count: Int64, total: Int64) {
            self.count = count
            self.total = total
        }
    }

    package init() {}

    package mutating func leftOut(_ count: Int64) {
        unreported += count
        total += count
    }

    /// The time of the next report, or nil while there is nothing to report. A time in the past means now.
    package var due: Duration? { unreported > 0 ? lastReport.map { $0 + Self.interval } ?? .zero : nil }

    /// Returns the report if it is due.
    package mutating func report(at now: Duration) -> Report? {
        guard let due, due <= now else { return nil }
        lastReport = now
        defer { unreported = 0 }
        return Report(count: unreported, total: total)
    }
}
