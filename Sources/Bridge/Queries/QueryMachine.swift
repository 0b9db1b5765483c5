import EventLoop

/// Which values are watched, when each is computed anew, and what of it is news. Pure.
///
/// A change marks the values that depend on it. A marked value is computed at once if it has rested, and else when it
/// has; changes meanwhile mark it again. So what changes a thousand times a second is computed ten times, and what
/// nobody watches never.
struct QueryMachine {
    /// To compute; ``computed(_:ticket:_:at:)`` must follow.
    struct Computation: Equatable {
        let key: QueryKey
        /// Of the newest computation only. The answer to an older one is of a value that nobody watched meanwhile.
        let ticket: Int
    }

    /// Computations of one value begin at least so far apart.
    static let interval = Duration.milliseconds(100)
    /// A value that takes long rests four times as long: five at once do not keep the log's reader busy.
    static let restFactor = 4
    /// And a large one as long as sending it at this rate takes.
    static let bytesPerSecond = 4 << 20

    private struct Entry {
        let topics: [QueryTopic]
        /// Computed again after this time without any change: for what changes all the time, such as memory in use.
        let refresh: Duration?
        var watchers = 0
        var value: QueryValue?
        var phase = Phase.resting(until: nil)
    }

    private enum Phase {
        /// Up to date. Not computed again before `until`.
        case resting(until: Instant?)
        /// Marked, and in `due`.
        case waiting
        case computing(ticket: Int, since: Instant, isMarkedAgain: Bool)
    }

    private var entries: [QueryKey: Entry] = [:]
    private var byTopic: [QueryTopic: Set<QueryKey>] = [:]
    private var due: [QueryKey: Instant] = [:]
    private var lastTicket = 0
    private var lastVersion = 0
    /// What the values take that are held.
    private(set) var heldBytes = 0

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }
    func isWatched(_ topic: QueryTopic) -> Bool { byTopic[topic] != nil }
    func isWatched(_ key: QueryKey) -> Bool { entries[key] != nil }
    func value(of key: QueryKey) -> QueryValue? { entries[key]?.value }

    /// When ``becameDue(at:)`` is to be called next, perhaps for nothing.
    private(set) var nextDeadline: Instant?

    // MARK: Who watches

    /// One more watches. A computation where there is neither a value nor one on its way.
    mutating func watch(
        _ key: QueryKey, topics: [QueryTopic], refresh: Duration?, at now: Instant
    ) -> Computation? {
        if entries[key] == nil {
            entries[key] = Entry(topics: topics, refresh: refresh)
            for topic in topics { byTopic[topic, default: []].insert(key) }
        }
        entries[key]?.watchers += 1
        guard let entry = entries[key], entry.value == nil, case .resting = entry.phase else { return nil }
        return compute(key, at: now)
    }

    /// One less does. With the last the value is forgotten.
    mutating func unwatch(_ key: QueryKey) {
        entries[key]?.watchers -= 1
        guard let entry = entries[key], entry.watchers <= 0 else { return }
        entries[key] = nil
        due[key] = nil
        heldBytes -= entry.value?.byteCount ?? 0
        for topic in entry.topics {
            byTopic[topic]?.remove(key)
            if byTopic[topic]?.isEmpty == true { byTopic[topic] = nil }
        }
    }

    // MARK: What happens

    /// Something changed.
    mutating func touch(_ topic: QueryTopic, at now: Instant) -> [Computation] {
        guard let keys = byTopic[topic] else { return [] }
        return keys.compactMap { mark($0, at: now) }
    }

    private mutating func mark(_ key: QueryKey, at now: Instant) -> Computation? {
        switch entries[key]?.phase {
        case .computing(let ticket, let since, _):
            entries[key]?.phase = .computing(ticket: ticket, since: since, isMarkedAgain: true)
        case .resting(let until):
            guard let until, until > now else { return compute(key, at: now) }
            wait(key, until: until)
        case .waiting, nil: break
        }
        return nil
    }

    /// A value, or a refusal, is here. True when it is news to those who watch.
    mutating func computed(_ key: QueryKey, ticket: Int, _ outcome: QueryOutcome, at now: Instant) -> Bool {
        guard var entry = entries[key], case .computing(ticket, let since, let isMarkedAgain) = entry.phase else {
            return false
        }
        let isNews = entry.value?.outcome.isSame(as: outcome) != true
        if isNews {
            lastVersion += 1
            let value = QueryValue(outcome: outcome, version: lastVersion)
            heldBytes += value.byteCount - (entry.value?.byteCount ?? 0)
            entry.value = value
        }
        let rested = Self.rest(since: since, until: now, byteCount: entry.value?.byteCount ?? 0)
        entry.phase = .resting(until: rested)
        entries[key] = entry
        if isMarkedAgain {
            wait(key, until: rested)
        } else if let refresh = entry.refresh {
            call(key, at: now + refresh)
        }
        return isNews
    }

    /// What is to be computed now.
    mutating func becameDue(at now: Instant) -> [Computation] {
        let keys = due.filter { $0.value <= now }.keys
        let computations = keys.map { compute($0, at: now) }
        nextDeadline = due.values.min()
        return computations
    }

    private mutating func wait(_ key: QueryKey, until time: Instant) {
        entries[key]?.phase = .waiting
        call(key, at: time)
    }

    private mutating func call(_ key: QueryKey, at time: Instant) {
        due[key] = time
        nextDeadline = min(nextDeadline ?? time, time)
    }

    private mutating func compute(_ key: QueryKey, at now: Instant) -> Computation {
        lastTicket += 1
        due[key] = nil
        entries[key]?.phase = .computing(ticket: lastTicket, since: now, isMarkedAgain: false)
        return Computation(key: key, ticket: lastTicket)
    }

    private static func rest(since start: Instant, until end: Instant, byteCount: Int) -> Instant {
        let sending = Duration.microseconds(byteCount * 1_000_000 / bytesPerSecond)
        return max(start + interval, end + (end - start) * restFactor, start + sending)
    }
}

extension QueryValue {
    fileprivate var byteCount: Int { if case .success(let bytes) = outcome { bytes.count } else { 0 } }
}

extension QueryOutcome {
    fileprivate func isSame(as other: QueryOutcome) -> Bool {
        switch (self, other) {
        case (.success(let mine), .success(let theirs)): mine == theirs
        case (.failure(let mine), .failure(let theirs)): mine == theirs
        default: false
        }
    }
}
