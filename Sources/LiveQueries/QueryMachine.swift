import EventLoop
import Posix
import Tinyvex

/// Decides which values are watched, when each value is computed again, and whether a result is a change. Pure.
///
/// A change marks the values that depend on it. A marked value is computed as soon as its rest period is over; changes
/// in the meantime mark it again. A value that changes a thousand times a second is thus computed ten times a second,
/// and a value without watchers is never computed.
///
/// A value that differs from the last one only in counters is stored, and announced to the watchers a second after the
/// last announcement, unless another change is announced before.
struct QueryMachine {
    /// A request to compute a value; ``computed(_:ticket:_:at:)`` must follow.
    struct Computation: Equatable {
        let key: QueryKey
        /// The ticket of the newest computation. A result with an older ticket is ignored, because the value had no
        /// watchers in the meantime.
        let ticket: Int
    }

    /// The minimum time between the starts of two computations of one value.
    static let interval = Duration.milliseconds(100)
    /// The minimum time between two announcements of a value if only its counters have changed. An agent that writes would
    /// otherwise cause ten values a second, and a page with a hundred sessions would read 300 KB a second.
    static let counterInterval = Duration.seconds(1)
    /// A value rests four times as long as its computation took, so that five slow values do not keep the log's reader
    /// busy.
    static let restFactor = 4
    /// A large value rests for as long as it takes to send it at this rate.
    static let bytesPerSecond = 4 << 20

    private struct Entry {
        let topics: [QueryTopic]
        /// The interval after which the value is computed again without a reported change. For data that changes all
        /// the time, such as memory in use.
        let refresh: Duration?
        var watchers = 0
        var value: QueryValue?
        /// The time when the watchers were last notified of a value.
        var announced: Instant?
        /// True if `value` is newer than the one that the watchers were notified of.
        var isWithheld = false
        var phase = Phase.resting(until: nil)

        /// True for a second after an announcement.
        func mayWithhold(at now: Instant) -> Bool { announced.map { now < $0 + QueryMachine.counterInterval } ?? false }

        /// The time of the next computation if no change is reported. A withheld value is announced with it.
        func nextComputation(after now: Instant) -> Instant? {
            let refreshed = refresh.map { now + $0 }
            guard isWithheld, let announced else { return refreshed }
            let due = announced + QueryMachine.counterInterval
            return min(refreshed ?? due, due)
        }
    }

    private enum Phase {
        /// The value is up to date, and is not computed again before `until`.
        case resting(until: Instant?)
        /// The value is marked, and has an entry in `due`.
        case waiting
        case computing(ticket: Int, since: Instant, isMarkedAgain: Bool)
    }

    private var entries: [QueryKey: Entry] = [:]
    private var byTopic: [QueryTopic: Set<QueryKey>] = [:]
    private var due: [QueryKey: Instant] = [:]
    private var lastTicket = 0
    private var lastVersion = 0
    /// The number of bytes that all stored values take.
    private(set) var heldBytes = 0

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }
    func isWatched(_ topic: QueryTopic) -> Bool { byTopic[topic] != nil }
    func isWatched(_ key: QueryKey) -> Bool { entries[key] != nil }
    func value(of key: QueryKey) -> QueryValue? { entries[key]?.value }

    /// Returns the lowest ticket of a computation that includes all changes so far. It need not have begun. Nil if the value
    /// is up to date.
    func ticketOfCurrent(_ key: QueryKey) -> Int? {
        guard let entry = entries[key] else { return lastTicket + 1 }
        switch entry.phase {
        case .resting: return entry.value == nil ? lastTicket + 1 : nil
        case .waiting: return lastTicket + 1
        case .computing(let ticket, _, let isMarkedAgain): return isMarkedAgain ? ticket + 1 : ticket
        }
    }

    /// The time of the next call to ``becameDue(at:)``. The call can find nothing to do.
    private(set) var nextDeadline: Instant?

    // MARK: Watchers

    /// Adds a watcher. Returns a computation if the value does not exist and is not being computed.
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

    /// Removes a watcher. The value is deleted together with its last watcher.
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

    // MARK: Events

    /// Marks the values that depend on `topic`, and returns those that must be computed now.
    mutating func touch(_ topic: QueryTopic, at now: Instant) -> [Computation] {
        guard let keys = byTopic[topic] else { return [] }
        return keys.compactMap { mark($0, at: now) }
    }

    /// Ends the rest of a marked value. Returns the computation that must start now.
    mutating func hasten(_ key: QueryKey, at now: Instant) -> Computation? {
        guard case .waiting = entries[key]?.phase else { return nil }
        return compute(key, at: now)
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

    /// Stores a computed value or a rejection. Returns true if the watchers must be notified of it, and nil if it is too old
    /// to count.
    mutating func computed(_ key: QueryKey, ticket: Int, _ outcome: QueryOutcome, at now: Instant) -> Bool? {
        guard var entry = entries[key], case .computing(ticket, let since, let isMarkedAgain) = entry.phase else {
            return nil
        }
        heldBytes -= entry.value?.byteCount ?? 0
        store(outcome, in: &entry, name: key.name, at: now)
        heldBytes += entry.value?.byteCount ?? 0
        let isNews = Self.announce(&entry, at: now)
        let rested = Self.rest(since: since, until: now, byteCount: entry.value?.byteCount ?? 0)
        entry.phase = .resting(until: rested)
        entries[key] = entry
        if isMarkedAgain {
            wait(key, until: rested)
        } else if let next = entry.nextComputation(after: now) {
            call(key, at: max(next, rested))
        }
        return isNews
    }

    private mutating func store(_ outcome: QueryOutcome, in entry: inout Entry, name: QueryName, at now: Instant) {
        guard entry.value?.outcome.isSame(as: outcome) != true else { return }
        lastVersion += 1
        if entry.mayWithhold(at: now), let old = entry.value?.outcome, !name.differOnlyInCounters(old, outcome) {
            entry.announced = nil
        }
        entry.value = QueryValue(outcome: outcome, version: lastVersion)
        entry.isWithheld = true
    }

    /// Returns true if the watchers must be notified.
    private static func announce(_ entry: inout Entry, at now: Instant) -> Bool {
        guard entry.isWithheld, !entry.mayWithhold(at: now) else { return false }
        entry.isWithheld = false
        entry.announced = now
        return true
    }

    /// Returns the computations that must start now.
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

extension QueryName {
    fileprivate func differOnlyInCounters(_ old: QueryOutcome, _ new: QueryOutcome) -> Bool {
        guard case .success(let old) = old, case .success(let new) = new else { return false }
        return differOnlyInCounters(old, new)
    }
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
