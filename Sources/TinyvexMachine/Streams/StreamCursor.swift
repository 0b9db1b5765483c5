/// One reader's place in an ordered stream.
struct StreamCursor {
    let subscriber: SubscriberID
    /// The updates that the bridge can leave out; nil: none.
    let policy: StreamPolicy?

    /// The last delivered number. Nil: none yet, and the reader starts with new lines.
    private(set) var position: Int64?
    /// The journal that `position` was counted in. Nil: unknown; the position is not checked.
    private(set) var journal: String?
    /// The bridge has confirmed on this connection that `position` is a place in the present stream.
    private(set) var isValidated = false
    /// The reader is over its limit, and gets nothing until it has caught up.
    var isParked = false

    private var isOpened = false
    private var lastEnd: StreamPiece?

    init(_ subscriber: SubscriberID, start: StreamStart, policy: StreamPolicy?) {
        self.subscriber = subscriber
        self.policy = policy
        if case .after(let position, let journal) = start {
            self.position = StreamPosition.clamp(position)
            self.journal = journal
        }
    }

    /// True if a line that follows the position can be delivered to the reader.
    var isReceiving: Bool { !isParked && isValidated }

    mutating func connectionLost() {
        isValidated = false
        isOpened = false
    }

    /// From now on the log has a different history from the one that the position was counted in.
    mutating func forgetJournal() { journal = nil }

    /// True if the cursor can join the present stream, which has reached this number, without a request to the bridge.
    /// The cursor either starts with new lines or has a position in this stream.
    func canJoin(journal streamJournal: String?, reached: Int64) -> Bool {
        guard let position else { return true }
        return position <= reached && (journal == nil || journal == streamJournal)
    }

    /// Confirms `position` as a place in the stream of this journal.
    mutating func validate(at position: Int64, journal: String?) {
        self.position = position
        self.journal = journal
        isValidated = true
    }

    /// Handles the bridge's answer to a subscription that starts after `askedFrom`. That number is the position of this
    /// cursor or of another one.
    mutating func subscribed(_ answer: SubscribeAnswer, askedFrom from: Int64?, askedJournal: String?) -> StreamPiece? {
        guard let position else {
            let reached = from == nil ? 0 : answer.headSeq
            validate(at: max(reached, answer.startSeq - 1), journal: answer.journal)
            return nil
        }
        guard let from, isValidated || journal == askedJournal else { return nil }
        guard position == from || !isValidated && position < from else { return nil }
        let isLost = !answer.isResumed && (position == from || position >= answer.startSeq)
        let piece = isLost ? move(to: answer.startSeq) : nil
        validate(at: self.position ?? position, journal: answer.journal)
        return piece
    }

    // MARK: Delivery

    mutating func open(headSeq: Int64) -> StreamPiece? {
        guard let position, !isOpened else { return nil }
        isOpened = true
        return .opened(StreamOpening(nextSeq: position + 1, headSeq: headSeq, journal: journal))
    }

    /// Returns the part of the run that follows this position, or nil.
    mutating func advance(over run: LineRun) -> StreamPiece? {
        guard isReceiving, let position, run.firstSeq - 1 <= position, position < run.lastSeq else { return nil }
        self.position = run.lastSeq
        return .lines(run.from(position + 1))
    }

    mutating func skip(from: Int64, to: Int64, reason: String) -> StreamPiece? {
        guard isReceiving, let position, from - 1 <= position, position < to else { return nil }
        self.position = to
        return .skipped(from: position + 1, to: to, reason: reason)
    }

    /// A bridge repeats the end after each reconnection; the reader gets it once.
    mutating func end(seq: Int64, _ end: StreamEnd) -> StreamPiece? {
        let piece = StreamPiece.ended(seq: seq, end)
        guard isReceiving, position == seq, lastEnd != piece else { return nil }
        lastEnd = piece
        return piece
    }

    /// Continues the stream at `startSeq` instead of after `position`.
    mutating func move(to startSeq: Int64) -> StreamPiece? {
        guard let position, position != startSeq - 1 else { return nil }
        self.position = startSeq - 1
        if position >= startSeq { return .restarted(nextSeq: startSeq) }
        return .skipped(from: position + 1, to: startSeq - 1, reason: "not kept")
    }
}
