import EventLoop
import SessionLog

/// Has the log forget what a policy says: at the start, and from then on now and again.
@LoopActor final class RetentionWatch {
    private let policy: RetentionPolicy
    private let registry: SessionRegistry
    private let forgot: @LoopActor (Forgotten.Life) -> Void
    private let clockWasChecked: @LoopActor (_ lead: Duration) -> Void
    private var nextLook = Instant.now
    private var timer: Timer?
    private var isStopped = false

    /// One look costs the writer well under a millisecond.
    private static let longestInterval = Duration.seconds(60)
    private static let shortestInterval = Duration.seconds(1)
    /// The pause before the next request when one request was not enough. For the sake of the log's size alone: at each
    /// look at most ``Retention/lives`` sessions go because of their age, so that a fault in a clock or an option takes
    /// hours to delete a large log.
    private static let nextPart = Duration.milliseconds(200)

    /// - Parameters:
    ///   - forgot: called for each session that is gone.
    ///   - clockWasChecked: called at each look, with how far the system's clock is ahead of the time that the log
    ///     trusts; zero if the clock is trusted.
    init(
        _ policy: RetentionPolicy, _ registry: SessionRegistry,
        forgot: @escaping @LoopActor (Forgotten.Life) -> Void,
        clockWasChecked: @escaping @LoopActor (_ lead: Duration) -> Void
    ) {
        self.policy = policy
        self.registry = registry
        self.forgot = forgot
        self.clockWasChecked = clockWasChecked
        look()
    }

    func stop() {
        isStopped = true
        timer?.cancel()
    }

    private func look() {
        let reading = Instant.now >= nextLook ? clockReading : nil
        if reading != nil { nextLook = .now + interval }
        let request = Retention(
            endedBefore: reading.map { $0.now - $0.age },
            usedBytes: policy.logBytes,
            // The log may have been told of a session's end before all of it is stored.
            sparing: Set(registry.live.compactMap(\.sid)), clock: reading)
        registry.log.write(.retain(request)) { [weak self] answer in
            self?.looked(answer, hasCheckedClock: reading != nil)
        }
    }

    /// Nil without an age.
    private var clockReading: ClockReading? {
        policy.age.map { age in
            ClockReading(
                now: wallClockMilliseconds(), uptime: uptimeMilliseconds(), age: max(0, age.wholeMilliseconds))
        }
    }

    private func looked(_ answer: Answer, hasCheckedClock: Bool) {
        guard !isStopped else { return }
        var pause = interval
        if case .forgotten(let forgotten) = answer {
            for life in forgotten.lives { forgot(life) }
            if hasCheckedClock { clockWasChecked(.milliseconds(forgotten.clockLead)) }
            if forgotten.isUnderWay { pause = Self.nextPart }
        }
        timer = EventLoop.main.schedule(after: pause) { [weak self] in self?.look() }
    }

    /// Short times are for trying it out, and are kept to closely too.
    private var interval: Duration {
        guard let age = policy.age else { return Self.longestInterval }
        return min(max(age / 10, Self.shortestInterval), Self.longestInterval)
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 { nanoseconds / 1_000_000 }
}

extension Bridge {
    /// Warns once of a clock that is ahead, and takes the warning back when the clock is trusted.
    func checkedClock(lead: Duration) {
        guard lead > .zero else { return retract(.clockIsAhead) }
        let days = max(1, lead.components.seconds / 86_400)
        warn(
            .clockIsAhead,
            "The clock is \(days == 1 ? "a day" : "\(days) days") ahead of the last time that the session log knows. "
                + "Until that has lasted for a day, --retain deletes no session for the days between. Check the clock.")
    }

    /// As if somebody had deleted the session: who reads it is told, and what shows it changes.
    func forgot(_ life: Forgotten.Life) {
        registry.known(sid: life.sid)?.deleted()
        views.forget(life.sid)
        audit.record(.forgotten(.init(agent: life.agent, sessionId: life.sessionId)), by: .retention)
        queries.touch(.sessions)
        queries.touch(.session(id: life.sessionId))
    }
}

extension Identity {
    fileprivate static let retention = Identity(who: "retention", role: nil)
}
