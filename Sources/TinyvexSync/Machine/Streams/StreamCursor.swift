/// One reader's place in an ordered stream.
struct StreamCursor {
    let subscriber: SubscriberID
    /// What the bridge may leave out; nil: nothing.
    let policy: String?

    /// The last number that was delivered; nil: none yet, and it begins with what is new.
    private(set) var position: Int64?
    /// The journal that `position` was counted under; nil: not known, taken on trust.
    private(set) var journal: String?
    /// The bridge has confirmed on this connection that `position` is a place in the stream that comes.
    private(set) var isValidated = false
    /// Its reader is behind by more than the limit: it gets nothing until it has caught up.
    var isParked = false

    private var isOpened = false
    private var lastEnd: StreamPiece?

    init(_ subscriber: SubscriberID, start: StreamStart, policy: String?) {
        self.subscriber = subscriber
        self.policy = policy
        if case .after(let position, let journal) = start {
            self.position = StreamPosition.clamp(position)
            self.journal = journal
        }
    }

    /// It wants lines, and any line that follows its position is its own.
    var isReceiving: Bool { !isParked && isValidated }

    mutating func connectionLost() {
        isValidated = false
        isOpened = false
    }

    /// The log has another history from now on than the one that was counted.
    mutating func forgetJournal() { journal = nil }

    /// It needs no word from the bridge to take part in a stream that comes and has reached this number: it begins with
    /// what is new, or stands at a place of this stream.
    func canJoin(journal streamJournal: String?, reached: Int64) -> Bool {
        guard let position else { return true }
        return position <= reached && (journal == nil || journal == streamJournal)
    }

    /// It stands at `position` of the stream under this journal.
    mutating func validate(at position: Int64, journal: String?) {
        self.position = position
        self.journal = journal
        isValidated = true
    }

    /// The bridge's answer to a subscription behind `askedFrom`, which may have been this cursor's position or another's.
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

    // MARK: What it delivers

    mutating func open(headSeq: Int64) -> StreamPiece? {
        guard let position, !isOpened else { return nil }
        isOpened = true
        return .opened(StreamOpening(nextSeq: position + 1, headSeq: headSeq, journal: journal))
    }

    /// The part of the run that follows this position, if any does.
    mutating func take(_ run: LineRun) -> StreamPiece? {
        guard isReceiving, let position, run.firstSeq - 1 <= position, position < run.lastSeq else { return nil }
        self.position = run.lastSeq
        return .lines(run.from(position + 1))
    }

    mutating func skip(from: Int64, to: Int64, reason: String) -> StreamPiece? {
        guard isReceiving, let position, from - 1 <= position, position < to else { return nil }
        self.position = to
        return .skipped(from: position + 1, to: to, reason: reason)
    }

    /// A bridge says so again after each reconnection; a reader hears it once.
    mutating func end(seq: Int64, _ end: StreamEnd) -> StreamPiece? {
        let piece = StreamPiece.ended(seq: seq, end)
        guard isReceiving, position == seq, lastEnd != piece else { return nil }
        lastEnd = piece
        return piece
    }

    /// The stream goes on at `startSeq` in place of behind `position`.
    mutating func move(to startSeq: Int64) -> StreamPiece? {
        guard let position, position != startSeq - 1 else { return nil }
        self.position = startSeq - 1
        if position >= startSeq { return .restarted(nextSeq: startSeq) }
        return .skipped(from: position + 1, to: startSeq - 1, reason: "not kept")
    }
}
