/// Counts what was left out on one subscription, and says when that may be told: at once, and then at most once a
/// second. Times are since any fixed moment.
public struct SkipTally: Sendable {
    public static let interval = Duration.seconds(1)

    private var untold: Int64 = 0
    private var total: Int64 = 0
    private var lastTold: Duration?

    public struct Report: Equatable, Sendable {
        /// Since the report before.
        public let count: Int64
        /// Since the subscription began.
        public let total: Int64

        public init(count: Int64, total: Int64) {
            self.count = count
            self.total = total
        }
    }

    public init() {}

    public mutating func leftOut(_ count: Int64) {
        untold += count
        total += count
    }

    /// When the next report is due; nil while there is nothing to tell. In the past for at once.
    public var due: Duration? { untold > 0 ? lastTold.map { $0 + Self.interval } ?? .zero : nil }

    /// The report, if it is due.
    public mutating func report(at now: Duration) -> Report? {
        guard let due, due <= now else { return nil }
        lastTold = now
        defer { untold = 0 }
        return Report(count: untold, total: total)
    }
}
