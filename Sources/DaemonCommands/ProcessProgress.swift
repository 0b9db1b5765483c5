import Posix

/// Decides how long to wait for a process: as long as it makes progress. Pure.
struct ProcessProgress: Sendable {
    /// A process that has not worked for this time is given up.
    static let patience = Duration.seconds(20)

    private var work: [UInt8] = []
    private var changed: Instant

    init(at now: Instant) { changed = now }

    /// Returns false if the wait must end.
    ///
    /// - Parameter work: what the process has done, as ``OtherProcess/work``.
    mutating func noted(_ work: [UInt8], at now: Instant) -> Bool {
        if work != self.work { (self.work, changed) = (work, now) }
        return now - changed < Self.patience
    }
}
