import EventLoop

/// What a connection sends beside answers: something that has a next piece whenever it is asked, never a queue of its
/// own. A subscription to a session is one, and so is a subscription to a value.
@LoopActor protocol OutgoingStream: AnyObject {
    var subId: String { get }
    /// Whose it tells of; nil where that is the bridge's own, or everyone.
    var tenant: String? { get }
    /// Whether it stands in its connection's queue; the outbox's own.
    var isQueued: Bool { get set }
    var isClosed: Bool { get }
    /// True in the middle of a frame: nothing else may be sent on the connection before it is whole.
    var isMidFrame: Bool { get }
    /// Everything there is has been sent.
    var isAtEnd: Bool { get }

    /// Whether what it sends is never to be old when it is read, so that all of its connection keeps a pace.
    var keepsPace: Bool { get }

    /// Sends what there is now, or some of it.
    ///
    /// - Parameter limitBytes: it stops at the end of the frame that reaches them; 0 to finish the one that has begun.
    func send(through outbox: Outbox, limitBytes: Int) -> SendOutcome
    /// There was nothing left to send; it is to queue itself again when there is.
    func reachedEnd()
    func close()
}

/// What became of a stream's turn.
enum SendOutcome {
    /// Nothing can be sent before something has come that was asked for.
    case pending
    /// What there is to send is not known yet; it goes on looking in the next turn of the loop.
    case unfinished
    /// There is nothing to send.
    case atEnd
    /// The socket took no more.
    case blocked
    /// It stopped at the end of a frame, and has more to send in this turn.
    case frameEnded
    /// The others are next.
    case turnEnded
}
