import JSONScan

/// One subscription to a value at the bridge, and the readers here who share it. Only the newest value counts.
struct ValueStream {
    let target: StreamTarget
    let subId: String
    private(set) var subscribers: [SubscriberID] = []
    private(set) var upstream = Upstream.none
    private(set) var newest: StreamValue?
    private var journal: String?

    enum Upstream: Equatable {
        /// To: asked.
        case none
        /// To: open, or none when it is refused.
        case asked
        /// To: closing, none.
        case open
        /// Given up, and the bridge has not said so yet. To: none, asked.
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

    /// Nobody reads it and the bridge owes it nothing.
    var isOver: Bool { subscribers.isEmpty && upstream == .none }

    /// Returns what is known already, so that a second reader need not wait for a change.
    mutating func add(_ subscriber: SubscriberID) -> StreamValue? {
        subscribers.append(subscriber)
        return upstream == .open ? newest : nil
    }

    mutating func remove(_ subscriber: SubscriberID) { subscribers.removeAll { $0 == subscriber } }

    mutating func connectionLost() { upstream = .none }

    /// What to ask of the bridge now, taken as asked.
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

    /// True when the readers should be told. A value that a new connection brings again, byte for byte, is not new.
    mutating func arrived(_ value: StreamValue) -> Bool {
        if let newest, upstream == .open, value.seq <= newest.seq { return false }
        defer { newest = value }
        return newest?.text != value.text
    }
}

/// One value of a subscription, as JSON text.
public struct StreamValue: Sendable, Equatable {
    /// Grows from value to value, and may begin anew with a new connection.
    public internal(set) var seq: Int64
    public let text: [UInt8]
}
