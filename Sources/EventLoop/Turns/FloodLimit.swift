import Posix

/// Limits the loop's time for one source, for example an agent's output, while another source needs little: the updates of
/// a session that someone watches go before a flood, which is too fast to read. A source by itself has no limit, and neither
/// have sources that all need much.
@LoopActor package struct FloodLimit {
    /// 4 ms at once: some megabytes.
    nonisolated static let burst = Duration.milliseconds(4)
    /// Nine parts of pause for one of work: after the burst, a flood has a tenth of the loop's time, some 300,000 updates a
    /// second. On two processors, the loop and the programs that write and read the other updates are then idle most of the time.
    nonisolated static let pausesPerWork: Int64 = 9

    /// 18 ms. There is a limit because the measured work can include a wait for a processor.
    nonisolated static let longestPause = Duration.milliseconds(18)

    private static let burstNanoseconds = burst.nanoseconds

    private let sources: SteadySources
    private let id: Int
    /// Negative while the source must pause.
    private var allowance = burstNanoseconds
    private var updated: Instant?

    package init(_ sources: SteadySources) {
        self.sources = sources
        id = sources.newId()
    }

    /// Returns how long the source must not be read after this work; nil if it can be read at once.
    package mutating func pause(after work: Duration, at now: Instant) -> Duration? {
        let work = max(0, work.nanoseconds)
        // Without closures: those passed to the standard library check the actor at run time.
        let rest = if let updated { max(0, now.nanoseconds - updated.nanoseconds - work) } else { Int64(0) }
        updated = now
        allowance = min(Self.burstNanoseconds, allowance + rest / Self.pausesPerWork) - work
        allowance = max(allowance, -Self.longestPause.nanoseconds / Self.pausesPerWork)
        // A source that uses less than half of its burst is steady.
        if allowance >= Self.burstNanoseconds / 2 { sources.wrote(id, at: now) }
        guard allowance < 0 else { return nil }
        guard sources.hasOther(than: id, at: now) else {
            allowance = 0
            return nil
        }
        return .nanoseconds(-allowance * Self.pausesPerWork)
    }
}

/// The sources that were steady most recently (``FloodLimit``).
@LoopActor package final class SteadySources {
    /// 1 s: a session with an update a second counts.
    nonisolated static let memory = Duration.seconds(1)

    private struct Source {
        let id: Int
        var time: Instant

        func isRecent(at now: Instant) -> Bool { now - time < SteadySources.memory }
    }

    private var lastId = 0
    /// Two sources are enough to know whether one of them is another.
    private var latest: Source?
    private var earlier: Source?

    package nonisolated init() {}

    fileprivate func newId() -> Int {
        lastId += 1
        return lastId
    }

    fileprivate func wrote(_ id: Int, at now: Instant) {
        if latest?.id != id {
            earlier = latest
            latest = Source(id: id, time: now)
        } else {
            latest?.time = now
        }
    }

    /// 100 ms, because the measured work includes waits for the log and for a processor.
    private static let longestBackgroundPause = Duration.milliseconds(100)

    /// Returns the pause after background work: as long as the work, or nine times as long if a source was steady within
    /// ``memory``. Only a pause that is as long as the work is longer than 100 ms.
    package func pause(afterBackgroundWork work: Duration, at now: Instant) -> Duration {
        guard let latest, latest.isRecent(at: now) else { return work }
        return max(work, min(work * Int(FloodLimit.pausesPerWork), Self.longestBackgroundPause))
    }

    fileprivate func hasOther(than id: Int, at now: Instant) -> Bool {
        [latest, earlier].contains { source in source.map { $0.id != id && $0.isRecent(at: now) } ?? false }
    }
}
