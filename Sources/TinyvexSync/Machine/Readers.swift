/// Which readers of ordered streams are behind by more than their limit, and what is done about it.
struct Readers {
    private(set) var full: Set<SubscriberID> = []
    /// Of those, the ones whose streams go on without them.
    private(set) var parked: Set<SubscriberID> = []
    /// Whether the connection is read.
    var isReading = true

    mutating func fellBehind(_ subscriber: SubscriberID) { full.insert(subscriber) }

    /// True when it was parked.
    mutating func caughtUp(_ subscriber: SubscriberID) -> Bool {
        full.remove(subscriber)
        return parked.remove(subscriber) != nil
    }

    mutating func remove(_ subscriber: SubscriberID) {
        full.remove(subscriber)
        parked.remove(subscriber)
    }

    /// The ones to be parked now.
    mutating func park() -> [SubscriberID] {
        let fresh = full.subtracting(parked)
        parked.formUnion(fresh)
        return fresh.sorted()
    }
}

extension SyncMachine {
    mutating func readerCaughtUp(_ subscriber: SubscriberID) {
        guard readers.caughtUp(subscriber) else { return }
        setParked(false, subscriber)
    }

    /// Where everyone who uses the connection is behind, it is left unread, and the bridge waits as its socket fills. Where
    /// someone else uses it, nobody may hold them up: the ones behind get nothing more until they have caught up.
    mutating func settleReaders() {
        let isEverybodyFull = readers.full.count == streams.readerCount && calls.isEmpty
        let isReading = readers.full.isEmpty || !isEverybodyFull
        if isReading { for subscriber in readers.park() { setParked(true, subscriber) } }
        guard isReading != readers.isReading else { return }
        readers.isReading = isReading
        withOpen { [now] in $0.heartbeat.heard(at: now) }
        act(.setReading(isReading))
    }

    private mutating func setParked(_ isParked: Bool, _ subscriber: SubscriberID) {
        guard let id = streams.stream(of: subscriber) else { return }
        streams.updateOrdered(id) { $0.setParked(isParked, subscriber) }
        streams.unsettle(id)
    }
}
