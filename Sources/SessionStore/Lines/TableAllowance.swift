/// Decides whether a large run is stored in the tables or in ``LinesFile``. Pure.
///
/// The tables take bursts. So an ordinary log is a single SQLite file, and only a flood, for which SQLite is too slow, has
/// its lines elsewhere.
struct TableAllowance {
    typealias Instant = ContinuousClock.Instant

    /// Runs of more than 32 KiB are large. For smaller ones, SQLite's transaction takes longer than the second copy of the
    /// bytes.
    static let smallestRun = 32 << 10
    /// 4 MiB at once, which is one checkpoint (``WriteConnection/checkpointIfDue()``).
    static let bytes = 4 << 20
    /// 1 MiB a second.
    static let bytesPerSecond = Double(1 << 20)

    private let most: Double
    private var available: Double
    private var time: Instant

    /// - Parameter most: The bytes that the tables take at once.
    init(most: Int = bytes, now: Instant) {
        (self.most, available, time) = (Double(most), Double(most), now)
    }

    /// Returns true if the tables take a large run of this size.
    mutating func take(_ size: Int, at now: Instant) -> Bool {
        available = min(most, available + max(0, time.duration(to: now) / .seconds(1)) * Self.bytesPerSecond)
        time = max(time, now)
        guard Double(size) <= available else { return false }
        available -= Double(size)
        return true
    }
}
