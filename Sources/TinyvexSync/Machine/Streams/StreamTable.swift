/// All subscriptions of a client, found by target, by session and by `subId`.
struct StreamTable {
    enum Stream {
        case ordered(OrderedStream)
        case value(ValueStream)

        var target: StreamTarget {
            switch self {
            case .ordered(let stream): stream.target
            case .value(let stream): stream.target
            }
        }

        var isOver: Bool {
            switch self {
            case .ordered(let stream): stream.isOver
            case .value(let stream): stream.isOver
            }
        }
    }

    typealias ID = Int

    private var streams: [ID: Stream] = [:]
    private var byTarget: [StreamTarget: ID] = [:]
    private var bySession: [String: ID] = [:]
    private var bySubscriber: [SubscriberID: ID] = [:]
    private var nextID = 1
    /// Streams that may have something to ask of the bridge, in the order in which that came up.
    private var unsettled: ArraySlice<ID> = []
    private var isUnsettled: Set<ID> = []

    /// No reader is left.
    var isEmpty: Bool { bySubscriber.isEmpty }
    var readerCount: Int { bySubscriber.count }
    var subscribers: [SubscriberID] { bySubscriber.keys.sorted() }

    subscript(id: ID) -> Stream? { streams[id] }

    func stream(of subscriber: SubscriberID) -> ID? { bySubscriber[subscriber] }
    func stream(ofSession sessionId: String) -> ID? { bySession[sessionId] }
    func stream(subId: String) -> ID? { ID(subId).flatMap { streams[$0] == nil ? nil : $0 } }

    /// The stream for this target, made where there is none. Nil when the session is followed under another target: on
    /// one connection a session's updates come once.
    mutating func stream(for target: StreamTarget) -> ID? {
        if let known = byTarget[target] { return known }
        let id = nextID
        if target.ordered == .sessionUpdates, let sessionId = target.sessionId {
            guard bySession[sessionId] == nil else { return nil }
            bySession[sessionId] = id
        }
        let isOrdered = target.ordered != nil
        streams[id] =
            isOrdered
            ? .ordered(OrderedStream(target: target, subId: String(id)))
            : .value(ValueStream(target: target, subId: String(id)))
        byTarget[target] = id
        nextID += 1
        return id
    }

    mutating func join(_ subscriber: SubscriberID, _ id: ID) { bySubscriber[subscriber] = id }

    /// Forgets the reader; its stream goes once the bridge owes it nothing.
    mutating func leave(_ subscriber: SubscriberID) {
        guard let id = bySubscriber.removeValue(forKey: subscriber) else { return }
        updateOrdered(id) { $0.remove(subscriber) }
        updateValue(id) { $0.remove(subscriber) }
        unsettle(id)
    }

    mutating func connectionLost() {
        for id in streams.keys.sorted() {
            updateOrdered(id) { $0.connectionLost() }
            updateValue(id) { $0.connectionLost() }
            unsettle(id)
        }
    }

    // MARK: One stream

    @discardableResult
    mutating func updateOrdered<Result>(_ id: ID, _ body: (inout OrderedStream) -> Result) -> Result? {
        guard case .ordered(var stream)? = streams[id] else { return nil }
        // Taken out meanwhile, so that it is changed in place.
        streams[id] = nil
        let result = body(&stream)
        streams[id] = .ordered(stream)
        return result
    }

    @discardableResult
    mutating func updateValue<Result>(_ id: ID, _ body: (inout ValueStream) -> Result) -> Result? {
        guard case .value(var stream)? = streams[id] else { return nil }
        streams[id] = nil
        let result = body(&stream)
        streams[id] = .value(stream)
        return result
    }

    // MARK: What is to be asked

    mutating func unsettle(_ id: ID) { if isUnsettled.insert(id).inserted { unsettled.append(id) } }

    var hasUnsettled: Bool { !unsettled.isEmpty }

    /// The next stream that may have something to ask; it is taken for settled.
    mutating func takeUnsettled() -> ID? {
        guard let id = unsettled.popFirst() else { return nil }
        isUnsettled.remove(id)
        return id
    }

    /// Forgets the stream where nobody reads it and the bridge owes it nothing.
    mutating func removeIfOver(_ id: ID) {
        guard let stream = streams[id], stream.isOver else { return }
        let target = stream.target
        streams[id] = nil
        byTarget[target] = nil
        if target.ordered == .sessionUpdates, let sessionId = target.sessionId, bySession[sessionId] == id {
            bySession[sessionId] = nil
        }
    }
}
