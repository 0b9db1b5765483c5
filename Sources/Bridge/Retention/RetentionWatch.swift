import EventLoop
import SessionLog

/// Has the log forget what a policy says: at the start, and from then on now and again.
@LoopActor final class RetentionWatch {
    private let policy: RetentionPolicy
    private let registry: SessionRegistry
    private let forgot: @LoopActor (Forgotten.Life) -> Void
    private var timer: Timer?
    private var isStopped = false

    /// One look costs the writer well under a millisecond.
    private static let longestInterval = Duration.seconds(60)
    private static let shortestInterval = Duration.seconds(1)
    /// How soon it goes on where there was more to do than one request does.
    private static let nextPart = Duration.milliseconds(200)

    /// - Parameter forgot: called for each session that is gone.
    init(
        _ policy: RetentionPolicy, _ registry: SessionRegistry, forgot: @escaping @LoopActor (Forgotten.Life) -> Void
    ) {
        self.policy = policy
        self.registry = registry
        self.forgot = forgot
        look()
    }

    func stop() {
        isStopped = true
        timer?.cancel()
    }

    private func look() {
        let request = Retention(
            endedBefore: policy.age.map { wallClockMilliseconds() - $0.wholeMilliseconds },
            usedBytes: policy.logBytes,
            // The log may have been told of a session's end before all of it is stored.
            sparing: Set(registry.live.all.compactMap(\.sid)))
        registry.log.write(.retain(request)) { [weak self] answer in self?.looked(answer) }
    }

    private func looked(_ answer: Answer) {
        guard !isStopped else { return }
        var pause = interval
        if case .forgotten(let forgotten) = answer {
            for life in forgotten.lives { forgot(life) }
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
    fileprivate var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}

extension Bridge {
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
