/// One subscription to a value at the bridge, and the local readers that share it. Only the newest value counts.
struct ValueStream {
    let target: StreamTarget
    let subId: String
    private(set) var subscribers: [SubscriberID] = []
    private(set) var upstream = Upstream.none
    private(set) var newest: StreamValue?
    /// The readers that have not got any value yet.
    private var uninformed: Set<SubscriberID> = []
    private var journal: String?

    enum Upstream: Equatable {
        /// To: asked.
        case none
        /// To: open, or none if the bridge refuses.
        case asked
        /// To: closing, none.
        case open
        /// Cancelled, and the bridge has not answered yet. To: none, asked.
        case closing
    }

    enum Step: Equatable {
        case subscribe(SubscribeParams)
        case unsubscribe
    }

    init(target: StreamTarget, subId: String) {
        self.target = target
        self.subId = subId
    }

    /// True if the value has no reader and the bridge owes it no answer.
    var isOver: Bool { subscribers.isEmpty && upstream == .none }

    /// Returns the known value, so that a second reader does not have to wait for a change.
    mutating func add(_ subscriber: SubscriberID) -> StreamValue? {
        subscribers.append(subscriber)
        if upstream == .open, let newest { return newest }
        uninformed.insert(subscriber)
        return nil
    }

    mutating func remove(_ subscriber: SubscriberID) {
        subscribers.removeAll { $0 == subscriber }
        uninformed.remove(subscriber)
    }

    mutating func connectionLost() { upstream = .none }

    /// Returns the next request to the bridge, and assumes that it is sent.
    mutating func nextStep() -> Step? {
        switch upstream {
        case .none, .closing:
            guard !subscribers.isEmpty else { return nil }
            upstream = .asked
            return .subscribe(
                SubscribeParams(subId: subId, target: target, lastSeq: newest?.seq, journal: journal))
        case .open:
            guard subscribers.isEmpty else { return nil }
            upstream = .closing
            return .unsubscribe
        case .asked: return nil
        }
    }

    mutating func subscribed(_ answer: SubscribeAnswer) {
        guard upstream == .asked else { return }
        upstream = .open
        journal = answer.journal
        if !answer.isResumed { newest?.seq = answer.startSeq - 1 }
    }

    mutating func unsubscribed() { if upstream == .closing { upstream = .none } }

    mutating func rejected() { upstream = .none }

    /// Returns the readers that must be notified. A value that a new subscription repeats byte for byte is new only to those
    /// that have none. A value that comes before the answer to the present subscription is of an earlier one.
    mutating func arrived(_ value: StreamValue) -> [SubscriberID] {
        guard upstream == .open, newest.map({ value.seq > $0.seq }) ?? true else { return [] }
        let isRepeated = newest?.text == value.text
        let readers = isRepeated ? subscribers.filter(uninformed.contains) : subscribers
        newest = value
        uninformed = []
        return readers
    }
}
