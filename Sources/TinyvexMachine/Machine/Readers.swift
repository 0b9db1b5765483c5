/// The readers of ordered streams that are over their limit, and the measures against it.
struct Readers {
    private(set) var full: Set<SubscriberID> = []
    /// The readers in `full` that get nothing until they have caught up, while their streams continue.
    private(set) var parked: Set<SubscriberID> = []
    /// True if the connection is read.
    var isReading = true

    mutating func fellBehind(_ subscriber: SubscriberID) { full.insert(subscriber) }

    /// Returns true if the reader was parked.
    mutating func caughtUp(_ subscriber: SubscriberID) -> Bool {
        full.remove(subscriber)
        return parked.remove(subscriber) != nil
    }

    mutating func remove(_ subscriber: SubscriberID) {
        full.remove(subscriber)
        parked.remove(subscriber)
    }

    /// Parks the slow readers. Returns the readers to park now.
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

    /// If all users of the connection are over their limit, the client stops reading it, and the bridge waits because
    /// its socket is full. If another user can continue, slow readers must not delay that user: they are parked and get
    /// nothing until they have caught up.
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
