/// One subscription to a session's updates or timeline at the bridge, and the local readers that share it.
///
/// Nothing is skipped and nothing is delivered twice: each reader has a cursor and takes only the number after its own.
/// A reader that joined late, or was parked, needs lines before the incoming ones. The subscription is then made again
/// from that reader's cursor, and the other readers skip the lines that they already have.
struct OrderedStream {
    let target: StreamTarget
    let subId: String
    private(set) var cursors: [StreamCursor] = []
    private(set) var upstream = Upstream.none
    /// The number of the last line received from the present stream; nil while nothing arrives. Lines of a subscription
    /// that is being cancelled arrive until the bridge answers the cancellation, and they count as well.
    private(set) var incoming: Int64?
    private var unsubscribesUnanswered = 0
    private var head: Int64 = 0
    /// The journal that the bridge named on this connection.
    private var journal: String?
    /// The last journal named on any connection. It identifies the incarnation of the session.
    private var incarnation: String?
    private var openPolicy: StreamPolicy?

    enum Upstream: Equatable {
        /// To: asked.
        case none
        /// `from` and `journal` are the requested start. To: open, or none if the bridge refuses.
        case asked(from: Int64?, journal: String?)
        /// To: asked, none.
        case open
    }

    /// The next request of the stream to the bridge.
    enum Step: Equatable {
        case subscribe(SubscribeParams)
        case unsubscribe
        /// Cancels the present subscription and opens one at another place. Both requests are sent, in this order.
        case resubscribe(SubscribeParams)
    }

    typealias Delivery = (subscriber: SubscriberID, piece: StreamPiece)

    init(target: StreamTarget, subId: String) {
        self.target = target
        self.subId = subId
    }

    /// True if the stream has no reader and the bridge owes it no answer.
    var isOver: Bool { cursors.isEmpty && upstream == .none && unsubscribesUnanswered == 0 }

    // MARK: Readers

    mutating func add(_ cursor: StreamCursor) { cursors.append(cursor) }

    mutating func remove(_ subscriber: SubscriberID) { cursors.removeAll { $0.subscriber == subscriber } }

    mutating func setParked(_ isParked: Bool, _ subscriber: SubscriberID) {
        for index in cursors.indices where cursors[index].subscriber == subscriber {
            cursors[index].isParked = isParked
        }
    }

    // MARK: The connection

    mutating func connectionLost() {
        upstream = .none
        incoming = nil
        journal = nil
        unsubscribesUnanswered = 0
        for index in cursors.indices { cursors[index].connectionLost() }
    }

    /// Adds the readers that can join the present stream without a request to the bridge.
    mutating func join() -> [Delivery] {
        guard upstream == .open, let incoming else { return [] }
        let (reached, head, journal) = (max(incoming, head), head, journal)
        return eachCursor { cursor in
            guard !cursor.isValidated, cursor.canJoin(journal: journal, reached: reached) else { return nil }
            cursor.validate(at: cursor.position ?? reached, journal: journal)
            return cursor.open(headSeq: head)
        }
    }

    /// Returns the next request to the bridge, and assumes that it is sent. Returns nil if no request is needed, or an
    /// answer is outstanding.
    mutating func nextStep() -> Step? {
        if case .asked = upstream { return nil }
        let wanting = cursors.filter { !$0.isParked }
        guard !wanting.isEmpty else { return upstream == .open ? giveUp() : nil }
        let policy = Self.policy(of: wanting)
        if upstream == .open, let incoming, policy == openPolicy,
            wanting.allSatisfy({ $0.isValidated && ($0.position ?? 0) >= incoming })
        {
            return nil
        }
        return ask(from: Self.start(for: wanting), policy: policy)
    }

    private mutating func giveUp() -> Step {
        upstream = .none
        unsubscribesUnanswered += 1
        return .unsubscribe
    }

    private mutating func ask(from start: StreamCursor?, policy: StreamPolicy?) -> Step {
        let journal = start?.journal
        let params = SubscribeParams(
            subId: subId, target: target, incarnation: incarnation ?? journal, lastSeq: start?.position,
            journal: journal,
            policy: policy)
        let wasOpen = upstream == .open
        if wasOpen { unsubscribesUnanswered += 1 }
        upstream = .asked(from: start?.position, journal: journal)
        openPolicy = policy
        return wasOpen ? .resubscribe(params) : .subscribe(params)
    }

    /// Returns the cursor to start after; nil means to start with new lines.
    ///
    /// Positions that the bridge has not confirmed on this connection go first. Among those of one journal, the
    /// greatest is used: if it is valid, so are the smaller ones. If all positions are confirmed, the smallest is used.
    private static func start(for wanting: [StreamCursor]) -> StreamCursor? {
        let placed = wanting.filter { $0.position != nil }
        if let first = placed.first(where: { !$0.isValidated }) {
            let group = placed.filter { !$0.isValidated && $0.journal == first.journal }
            return group.max { ($0.position ?? 0) < ($1.position ?? 0) }
        }
        return placed.min { ($0.position ?? 0) < ($1.position ?? 0) }
    }

    /// The policy if all readers agree on one; nil (leave nothing out) if they differ.
    private static func policy(of wanting: [StreamCursor]) -> StreamPolicy? {
        let policies = Set(wanting.map(\.policy))
        return policies.count == 1 ? policies.first ?? nil : nil
    }
}

// MARK: - Answers

extension OrderedStream {
    mutating func subscribed(_ answer: SubscribeAnswer) -> [Delivery] {
        guard case .asked(let from, let askedJournal) = upstream else { return [] }
        upstream = .open
        incoming = answer.startSeq - 1
        head = answer.headSeq
        journal = answer.journal
        incarnation = answer.journal ?? incarnation
        let moves = eachCursor { $0.subscribed(answer, askedFrom: from, askedJournal: askedJournal) }
        return moves + eachCursor { $0.isValidated ? $0.open(headSeq: answer.headSeq) : nil }
    }

    mutating func unsubscribed() {
        unsubscribesUnanswered -= 1
        if upstream != .open, unsubscribesUnanswered <= 0 { incoming = nil }
    }

    /// The bridge has refused the subscription. `asksAgain` is true if the client must ask again: no log contains the
    /// followed incarnation any longer, but the session can have another.
    mutating func rejected(isUnknownSession: Bool) -> (deliveries: [Delivery], asksAgain: Bool) {
        upstream = .none
        guard isUnknownSession, incarnation != nil || cursors.contains(where: { $0.journal != nil }) else {
            return ([], false)
        }
        incarnation = nil
        let deliveries = eachCursor { cursor in
            cursor.forgetJournal()
            return cursor.position == nil ? nil : cursor.move(to: 1)
        }
        return (deliveries, true)
    }
}

// MARK: - Incoming lines

extension OrderedStream {
    mutating func arrived(_ run: LineRun) -> [Delivery] {
        incoming = run.lastSeq
        return eachCursor { $0.advance(over: run) }
    }

    /// Handles a value that contains its own number. Missing numbers before it will not arrive.
    mutating func arrived(_ value: StreamValue) -> [Delivery] {
        var deliveries: [Delivery] = []
        if let incoming, value.seq > incoming + 1 {
            deliveries = skipped(from: incoming + 1, to: value.seq - 1, reason: "not sent")
        }
        let run = LineRun(firstSeq: value.seq, bytes: value.text, places: [0..<value.text.count])
        return deliveries + arrived(run)
    }

    mutating func skipped(from: Int64, to: Int64, reason: String) -> [Delivery] {
        incoming = max(incoming ?? 0, to)
        return eachCursor { $0.skip(from: from, to: to, reason: reason) }
    }

    mutating func ended(seq: Int64, _ end: StreamEnd) -> [Delivery] { eachCursor { $0.end(seq: seq, end) } }

    mutating func noticed(code: String, message: String) -> [Delivery] {
        eachCursor { $0.isReceiving ? .notice(code: code, message: message) : nil }
    }

    private mutating func eachCursor(_ body: (inout StreamCursor) -> StreamPiece?) -> [Delivery] {
        var deliveries: [Delivery] = []
        for index in cursors.indices {
            if let piece = body(&cursors[index]) { deliveries.append((cursors[index].subscriber, piece)) }
        }
        return deliveries
    }
}
