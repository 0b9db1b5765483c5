/// All subscriptions of a client, indexed by target, session and `subId`.
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

        var hasReaders: Bool {
            switch self {
            case .ordered(let stream): !stream.cursors.isEmpty
            case .value(let stream): !stream.subscribers.isEmpty
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
    /// Streams of a session's updates that wait until the bridge has answered the cancellation of another one.
    private var waitingForSession: [String: ID] = [:]
    private var bySubscriber: [SubscriberID: ID] = [:]
    private var nextID = 1
    /// Streams that may need a request to the bridge, in the order in which they were marked.
    private var unsettled: ArraySlice<ID> = []
    private var isUnsettled: Set<ID> = []

    /// True if no reader is left.
    var isEmpty: Bool { bySubscriber.isEmpty }
    var readerCount: Int { bySubscriber.count }
    var subscribers: [SubscriberID] { bySubscriber.keys.sorted() }

    subscript(id: ID) -> Stream? { streams[id] }

    func stream(of subscriber: SubscriberID) -> ID? { bySubscriber[subscriber] }
    func stream(ofSession sessionId: String) -> ID? { bySession[sessionId] }
    func stream(subId: String) -> ID? { ID(subId).flatMap { streams[$0] == nil ? nil : $0 } }

    /// The stream for this target; a new one if there is none. Returns nil if the session has readers under another
    /// target, because a connection carries a session's updates only once.
    mutating func stream(for target: StreamTarget) -> ID? {
        if let known = byTarget[target] {
            let waiting = target.updatedSession.flatMap { waitingForSession[$0] }
            return waiting == nil || waiting == known ? known : nil
        }
        let id = nextID
        if let session = target.updatedSession {
            if let other = bySession[session] {
                guard waitingForSession[session] == nil, streams[other]?.hasReaders != true else { return nil }
                waitingForSession[session] = id
            } else {
                bySession[session] = id
            }
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

    /// False while another stream's subscription to the same session is being cancelled.
    func canAsk(_ id: ID) -> Bool { streams[id]?.target.updatedSession.map { bySession[$0] == id } ?? true }

    mutating func join(_ subscriber: SubscriberID, _ id: ID) { bySubscriber[subscriber] = id }

    /// Removes the reader. Its stream is removed once the bridge owes it no answer.
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
        // Remove the stream from the dictionary during the update, so that it is mutated in place.
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

    // MARK: Pending requests

    mutating func unsettle(_ id: ID) { if isUnsettled.insert(id).inserted { unsettled.append(id) } }

    /// Returns the next stream that may need a request, and unmarks it.
    mutating func takeUnsettled() -> ID? {
        guard let id = unsettled.popFirst() else { return nil }
        isUnsettled.remove(id)
        return id
    }

    /// Removes the stream if it has no reader and the bridge owes it no answer.
    mutating func removeIfOver(_ id: ID) {
        guard let stream = streams[id], stream.isOver else { return }
        let target = stream.target
        streams[id] = nil
        byTarget[target] = nil
        if let session = target.updatedSession { free(session, from: id) }
    }

    private mutating func free(_ session: String, from id: ID) {
        guard bySession[session] == id else {
            if waitingForSession[session] == id { waitingForSession[session] = nil }
            return
        }
        let next = waitingForSession.removeValue(forKey: session)
        bySession[session] = next
        if let next { unsettle(next) }
    }
}

extension StreamTarget {
    /// The session whose updates the stream carries; nil for other streams.
    fileprivate var updatedSession: String? { ordered == .sessionUpdates ? sessionId : nil }
}
