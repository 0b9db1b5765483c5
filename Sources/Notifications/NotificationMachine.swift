/// Decides which notifications are sent, to which destination and when. Pure: events and times in, actions out.
///
/// A notification waits for the delay of the settings, for the end of a quiet time, and for an earlier notification of the
/// same destination. It is dropped if it becomes unnecessary in the meantime: the request was answered, a prompt was
/// sent, or a person views the session. A delivery that fails is repeated with growing delays.
package struct NotificationMachine: Sendable {
    package enum Action: Sendable, Equatable {
        /// Send this message, and call ``finished(_:_:at:)``.
        case deliver(NotificationMessage)
        /// The queue has changed: store ``storedQueue``.
        case store
        /// The destination of this push subscription no longer exists.
        case forget(subscription: String)
        /// The message could not be delivered, and is given up.
        case gaveUp(NotificationMessage)
    }

    package enum Outcome: Sendable, Equatable {
        case delivered
        /// A later attempt can succeed.
        case failed
        /// The destination asks to wait at least this many milliseconds.
        case busy(Int64)
        /// The destination no longer exists.
        case gone
    }

    /// Messages that wait. A person reads far fewer; the oldest are dropped.
    static let messageLimit = 500
    /// The size of the messages in memory, in bytes. The oldest are dropped.
    static let queueLimitBytes = 512 << 10
    /// An older notification is useless. Milliseconds.
    static let longestLife: Int64 = 86_400_000
    /// The first delay after a failure. It grows fourfold, up to an hour.
    static let firstRetry: Int64 = 5_000
    static let longestRetry: Int64 = 3_600_000
    /// The time between two notifications of one kind and session to one destination. Milliseconds. Events in the
    /// meantime are merged.
    static let pause: Int64 = 10_000

    package var subscriptions: [PushSubscription]
    package private(set) var muted: MutedSessions
    private let settings: NotificationSettings
    private var queue: [NotificationMessage]
    private var inFlight: Set<String> = []
    private var viewers = SessionViewers()
    /// The time of the last delivery, by destination and kind, and by session.
    private var lastDelivery: [String: [NotifiedPlace: Int64]] = [:]
    private let newId: @Sendable () -> String?

    /// - Parameters:
    ///   - queue: the messages that the previous program has stored.
    ///   - newId: returns unguessable text; nil if the system has no randomness.
    package init(
        _ settings: NotificationSettings, subscriptions: [PushSubscription] = [],
        muted: MutedSessions = MutedSessions(), queue: [NotificationMessage] = [],
        newId: @escaping @Sendable () -> String?
    ) {
        self.settings = settings
        self.subscriptions = subscriptions
        self.muted = muted
        self.queue = queue.filter { message in settings.targets.contains { $0.name == message.target } }
        self.newId = newId
    }

    // MARK: Events

    /// An event has occurred.
    ///
    /// - Parameter registration: The only registration that is notified; nil for all destinations.
    package mutating func occurred(
        _ event: NotificationEvent, only registration: String? = nil, at now: NotificationTime
    ) -> [Action] {
        let isSeen = viewers.see(event.place, at: now.ts)
        if isSeen, !event.kind.needsPerson, event.kind != .test { return [] }
        var hasChanged = false
        for target in settings.targets where target.wants(event) {
            for subscription in destinations(of: target, event)
            where registration == nil || subscription == registration {
                hasChanged = add(event, target, subscription, isSeen: isSeen, at: now) || hasChanged
            }
        }
        guard hasChanged else { return [] }
        trim()
        return [.store] + due(at: now)
    }

    /// A request of an agent was answered, so it no longer waits for a person.
    package mutating func answered(
        _ place: NotifiedPlace, requestId: String, at now: NotificationTime
    ) -> [Action] {
        remove { $0.place.isSame(as: place) && $0.removeRequest(requestId) }
    }

    /// A prompt was sent, so the end of the previous turn is known.
    package mutating func prompted(_ place: NotifiedPlace, at now: NotificationTime) -> [Action] {
        remove { $0.place.isSame(as: place) && !$0.kind.needsPerson && $0.kind != .test }
    }

    /// A person has a session on a screen. Drops the session's waiting notifications, except those of requests: these are
    /// delayed, because a request can still be unanswered when the person leaves.
    package mutating func viewed(_ place: NotifiedPlace, at now: NotificationTime) -> [Action] {
        viewers.viewed(place, at: now.ts)
        return remove { message in
            guard message.place.isSame(as: place), message.kind != .test else { return false }
            message.dueTs = max(message.dueTs, now.ts + SessionViewers.patience)
            return !message.kind.needsPerson
        }
    }

    /// A person has muted a session, or ended a mute. Drops the waiting notifications of muted sessions.
    package mutating func muted(_ muted: MutedSessions) -> [Action] {
        self.muted = muted
        let tenants = Dictionary(subscriptions.map { ($0.id, $0.tenant) }) { first, _ in first }
        return remove { message in
            muted.contains(message.incarnations ?? [], tenant: message.subscription.flatMap { tenants[$0] ?? nil })
        }
    }

    // MARK: Delivery

    /// Gives up the messages that wait for this push subscription, because its page has ended it.
    package mutating func ended(subscription: String) -> [Action] {
        subscriptions.removeAll { $0.id == subscription }
        return remove { $0.subscription == subscription }
    }

    /// The time at which ``due(at:)`` must be called, in milliseconds since 1970; nil if nothing waits.
    package var nextDueTs: Int64? {
        let (slots, clients) = (usedSlots, clients)
        return queue.filter { !inFlight.contains($0.id) && slots.isFree(for: place(of: $0, clients)) }
            .map(\.dueTs).min()
    }

    /// Starts the deliveries that are due.
    package mutating func due(at now: NotificationTime) -> [Action] {
        var actions: [Action] = []
        let old = queue.filter { now.ts - $0.createdTs > Self.longestLife && !inFlight.contains($0.id) }
        if !old.isEmpty {
            queue.removeAll { message in old.contains { $0.id == message.id } }
            actions += old.map { .gaveUp($0) } + [.store]
        }
        let clients = clients
        var slots = usedSlots
        for index in queue.indices where !inFlight.contains(queue[index].id) {
            // A clock that was set back must not delay the message for long.
            queue[index].dueTs = min(queue[index].dueTs, now.ts + Self.longestLife)
            guard queue[index].dueTs <= now.ts else { continue }
            let place = place(of: queue[index], clients)
            guard slots.isFree(for: place), isDue(&queue[index], at: now) else { continue }
            inFlight.insert(queue[index].id)
            slots.take(place)
            actions.append(.deliver(queue[index]))
        }
        return actions
    }

    private var usedSlots: DeliverySlots {
        let clients = clients
        return queue.filter { inFlight.contains($0.id) }.reduce(into: DeliverySlots()) { slots, message in
            slots.take(place(of: message, clients))
        }
    }

    /// The clients of the registrations, as far as these have one: a token of the bridge's, or a tenant. The others are the
    /// own user's.
    private var clients: [String: String] {
        let clients = subscriptions.compactMap { subscription in
            (subscription.tokenId ?? subscription.tenant).map { (subscription.id, $0) }
        }
        return Dictionary(clients) { first, _ in first }
    }

    private func place(of message: NotificationMessage, _ clients: [String: String]) -> DeliverySlots.Place {
        DeliverySlots.Place(
            destination: Self.destination(message), client: message.subscription.map { clients[$0] ?? $0 })
    }

    /// The newest test of each destination.
    package var tests: [NotificationMessage] {
        let tests = queue.filter { $0.kind == .test }.map { (Self.destination($0), $0) }
        let newest = Set(Dictionary(tests) { _, last in last }.values.map(\.id))
        return tests.map(\.1).filter { newest.contains($0.id) }
    }

    /// Whether a message waits or is being delivered.
    package func holds(_ id: String) -> Bool { queue.contains { $0.id == id } }

    /// A delivery has ended.
    package mutating func finished(_ id: String, _ outcome: Outcome, at now: NotificationTime) -> [Action] {
        inFlight.remove(id)
        guard let index = queue.firstIndex(where: { $0.id == id }) else { return due(at: now) }
        let message = queue[index]
        switch outcome {
        case .delivered:
            queue.remove(at: index)
            noteDelivery(of: message, at: now.ts)
            return [.store] + due(at: now)
        case .failed where message.kind == .test, .busy where message.kind == .test:
            queue.remove(at: index)
            return [.store] + due(at: now)
        case .failed: return repeated(at: index, after: 0, now)
        case .busy(let delay): return repeated(at: index, after: min(delay, Self.longestRetry), now)
        case .gone:
            queue.remove(at: index)
            guard let subscription = message.subscription else { return [.gaveUp(message), .store] + due(at: now) }
            queue.removeAll { $0.subscription == subscription && !inFlight.contains($0.id) }
            subscriptions.removeAll { $0.id == subscription }
            return [.forget(subscription: subscription), .store] + due(at: now)
        }
    }

    private mutating func repeated(at index: Int, after delay: Int64, _ now: NotificationTime) -> [Action] {
        queue[index].attempts += 1
        queue[index].dueTs = now.ts + max(delay, Self.retryDelay(after: queue[index].attempts))
        return [.store] + due(at: now)
    }

    /// The queue as a file: one message per line. Takes milliseconds for a full queue.
    package var storedQueue: [UInt8] { queue.flatMap { ($0.storedLine() ?? []) + [0x0a] } }

    package static func queue(stored bytes: [UInt8]) -> [NotificationMessage] {
        bytes.split(separator: 0x0a).compactMap { NotificationMessage(storedLine: Array($0)) }
    }

    package var waitingCount: Int { queue.count }

    // MARK: The queue

    /// The registrations of a target that can see the session and want the event; one nil for a target without
    /// registrations. Leaves out those for which the session is muted.
    private func destinations(of target: NotificationTarget, _ event: NotificationEvent) -> [String?] {
        guard target.isForRegistrations else {
            return muted.contains(event.incarnations, tenant: nil) ? [] : [nil]
        }
        return subscriptions.filter { subscription in
            target.serves(subscription) && subscription.wants(event.kind)
                && (subscription.tenant == nil || subscription.tenant == event.tenant)
                && !muted.contains(event.incarnations, tenant: subscription.tenant)
        }.map(\.id)
    }

    /// Returns true if the queue has changed.
    private mutating func add(
        _ event: NotificationEvent, _ target: NotificationTarget, _ subscription: String?, isSeen: Bool,
        at now: NotificationTime
    ) -> Bool {
        let same = queue.firstIndex { message in
            message.target == target.name && message.subscription == subscription && message.kind == event.kind
                && message.place.isSame(as: event.place) && !inFlight.contains(message.id)
        }
        if let same { return queue[same].merge(event) }
        guard let id = newId() else { return false }
        let delay = event.kind == .test ? 0 : isSeen ? SessionViewers.patience : settings.delayMilliseconds
        let message = NotificationMessage(
            id: id, event, target: target, subscription: subscription, at: now.ts, dueTs: now.ts + delay)
        queue.append(message)
        return true
    }

    /// Removes messages that became unnecessary, except those in flight.
    private mutating func remove(where isUnnecessary: (inout NotificationMessage) -> Bool) -> [Action] {
        let before = queue
        var kept: [NotificationMessage] = []
        for var message in queue {
            if inFlight.contains(message.id) || !isUnnecessary(&message) { kept.append(message) }
        }
        queue = kept
        return kept == before ? [] : [.store]
    }

    private mutating func trim() {
        var bytes = queue.reduce(0) { $0 + $1.byteCount }
        while queue.count > Self.messageLimit || bytes > Self.queueLimitBytes, let index = mostDispensable {
            bytes -= queue.remove(at: index).byteCount
        }
    }

    /// The oldest message that waits, or the oldest to a registration if these are more than half: a client with many
    /// registrations must not drop the messages to the targets of the configuration.
    private var mostDispensable: Int? {
        let waiting = queue.indices.filter { !inFlight.contains(queue[$0].id) }
        let registered = waiting.filter { queue[$0].subscription != nil }
        return (registered.count > waiting.count / 2 ? registered : waiting).first
    }

    // MARK: Times

    /// Whether a message whose time has come can be sent. If not, moves its time to the end of the quiet time or of the
    /// pause.
    private func isDue(_ message: inout NotificationMessage, at now: NotificationTime) -> Bool {
        guard message.kind != .test else { return true }
        let quiet = settings.targets.first { $0.name == message.target }?.quiet
        if let minutes = quiet?.minutesLeft(at: now.minuteOfDay) {
            message.dueTs = now.ts + Int64(minutes) * 60_000
            return false
        }
        let earlier = lastDelivery[Self.key(message)]?.value(of: message.place)
        guard let last = earlier, last <= now.ts, now.ts - last < Self.pause else { return true }
        message.dueTs = last + Self.pause
        return false
    }

    private mutating func noteDelivery(of message: NotificationMessage, at now: Int64) {
        lastDelivery = lastDelivery.mapValues { times in times.filter { now - $0.value < Self.pause } }
            .filter { !$0.value.isEmpty }
        lastDelivery[Self.key(message), default: [:]][message.place] = now
    }

    static func retryDelay(after attempts: Int) -> Int64 {
        var delay = firstRetry
        for _ in 1..<max(1, attempts) where delay < longestRetry { delay *= 4 }
        return min(delay, longestRetry)
    }

    private static func destination(_ message: NotificationMessage) -> String {
        "\(message.target)\n\(message.subscription ?? "")"
    }

    private static func key(_ message: NotificationMessage) -> String {
        "\(destination(message))\n\(message.kind.rawValue)"
    }
}

/// The sessions that a person has on a screen. A page reports its session every 15 s.
struct SessionViewers: Sendable {
    /// Without a report for this long, the person is away. Milliseconds.
    static let patience: Int64 = 30_000
    /// Sessions on screens at once. At the limit, further ones are not noted, so their notifications are sent.
    private static let limit = 1_000
    private var seen: [NotifiedPlace: Int64] = [:]

    mutating func viewed(_ place: NotifiedPlace, at now: Int64) {
        if seen.count >= Self.limit { seen = seen.filter { isRecent($0.value, at: now) } }
        if seen[place] != nil || seen.count < Self.limit { seen[place] = now }
    }

    func see(_ place: NotifiedPlace, at now: Int64) -> Bool {
        seen.value(of: place).map { isRecent($0, at: now) } == true
    }

    private func isRecent(_ time: Int64, at now: Int64) -> Bool { time <= now && now - time < Self.patience }
}
