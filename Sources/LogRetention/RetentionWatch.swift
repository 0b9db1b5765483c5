import EventLoop
import Posix
import SessionRecords
import SessionStreams

/// Makes the log delete sessions according to a policy: at the start, and then at regular intervals.
@LoopActor package final class RetentionWatch {
    private let policy: RetentionPolicy
    private let registry: SessionRegistry
    private let unshipped: @LoopActor () -> Set<Int64>?
    private let forgot: @LoopActor (Forgotten.Incarnation) -> Void
    private let clockWasChecked: @LoopActor (_ lead: Duration) -> Void
    private let services: LoopServices
    private let uptime: @Sendable () -> Int64
    private var nextLook: Instant
    private var timer: Timer?
    private var isStopped = false

    /// One check takes the log's writer well under a millisecond.
    private static let longestInterval = Duration.seconds(60)
    private static let shortestInterval = Duration.seconds(1)
    /// The pause before the next request if one request was not enough. It applies only to deletions because of the
    /// log's size. Because of their age, at most ``Retention/incarnations`` sessions are deleted at each check, so a
    /// wrong clock or option needs hours to delete a large log.
    private static let nextPart = Duration.milliseconds(200)

    /// With more unshipped sessions, all sessions are treated as unshipped. The log reads past each of them.
    private static let unshippedLimit = 10_000

    /// - Parameters:
    ///   - unshipped: Returns the sessions that are not at the hub yet, or nil if it is not known which ones. They are
    ///   deleted later than others.
    ///   - uptime: Milliseconds since the machine started, including the time for which it was suspended.
    ///   - forgot: Called for each deleted session.
    ///   - clockWasChecked: Called at each check, with how far the system's clock is ahead of the time that the log
    ///   trusts; zero if the clock is trusted.
    package init(
        _ policy: RetentionPolicy, _ registry: SessionRegistry, services: LoopServices = .main,
        unshipped: @escaping @LoopActor () -> Set<Int64>? = { [] },
        uptime: @escaping @Sendable () -> Int64 = uptimeMilliseconds,
        forgot: @escaping @LoopActor (Forgotten.Incarnation) -> Void,
        clockWasChecked: @escaping @LoopActor (_ lead: Duration) -> Void
    ) {
        self.policy = policy
        self.services = services
        self.uptime = uptime
        self.unshipped = unshipped
        nextLook = services.time.now
        self.registry = registry
        self.forgot = forgot
        self.clockWasChecked = clockWasChecked
        look()
    }

    package func stop() {
        isStopped = true
        timer?.cancel()
    }

    private func look() {
        let reading = services.time.now >= nextLook ? clockReading : nil
        if reading != nil { nextLook = services.time.now + interval }
        perform(passes, reading)
    }

    /// A request, as far as it depends on what the hub has.
    private struct Pass {
        /// Multiplies the policy's age and size.
        var factor: Int64
        var sparing: Set<Int64> = []

        /// Deletes all sessions at twice the age and size, also those that are not at the hub.
        static let hard = Pass(factor: 2)
    }

    private var passes: [Pass] {
        guard let sids = unshipped(), sids.count <= Self.unshippedLimit else { return [.hard] }
        let regular = Pass(factor: 1, sparing: sids)
        return sids.isEmpty ? [regular] : [.hard, regular]
    }

    /// Sends one request after another, then waits until the next check.
    private func perform(_ passes: [Pass], _ reading: ClockReading?) {
        guard let pass = passes.first else { return }
        let (bytes, overflow) = (policy.logBytes ?? 0).multipliedReportingOverflow(by: pass.factor)
        let request = Retention(
            endedBefore: reading.map { $0.now - pass.factor * $0.age },
            usedBytes: overflow ? nil : policy.logBytes.map { _ in bytes },
            // The log can know of a session's end before all of the session is stored.
            sparing: pass.sparing.union(registry.live.all.compactMap(\.sid)), clock: reading)
        registry.log.write(.retain(request)) { [weak self] answer in
            guard let self, !isStopped else { return }
            let pause = looked(answer, hasCheckedClock: reading != nil)
            guard passes.count == 1 else { return perform(Array(passes.dropFirst()), reading) }
            timer = services.timers.schedule(after: pause) { [weak self] in self?.look() }
        }
    }

    /// Nil if the policy has no age.
    private var clockReading: ClockReading? {
        policy.age.map { age in
            ClockReading(
                now: services.time.dateMilliseconds, uptime: uptime(), age: max(0, age.wholeMilliseconds))
        }
    }

    /// Returns the pause before the next check.
    private func looked(_ answer: Answer, hasCheckedClock: Bool) -> Duration {
        guard case .forgotten(let forgotten) = answer else { return interval }
        for incarnation in forgotten.incarnations { forgot(incarnation) }
        if hasCheckedClock { clockWasChecked(.milliseconds(forgotten.clockLead)) }
        return forgotten.isUnderWay ? Self.nextPart : interval
    }

    /// A tenth of the age, within the two bounds. A short age serves for trials, and must be enforced promptly too.
    private var interval: Duration {
        guard let age = policy.age else { return Self.longestInterval }
        return min(max(age / 10, Self.shortestInterval), Self.longestInterval)
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 { nanoseconds / 1_000_000 }
}
