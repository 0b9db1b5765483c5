import EventLoop

/// A source of data that a connection sends beside answers. It produces its next piece whenever it is asked, and never
/// has a queue of its own. A subscription to a session is an outgoing stream, and so is a subscription to a value.
@LoopActor package protocol OutgoingStream: AnyObject {
    var subId: String { get }
    /// The tenant that owns the data; nil if the data belongs to the bridge itself or to everyone.
    var tenant: String? { get }
    /// True while the stream is in its connection's queue. Only the writer changes it.
    var isQueued: Bool { get set }
    var isClosed: Bool { get }
    /// True in the middle of a frame. Nothing else can be sent on the connection before the frame is complete.
    var isMidFrame: Bool { get }
    /// True if all available data has been sent.
    var isAtEnd: Bool { get }

    /// True if the data must never be outdated when it is read. All streams of the connection are then paced.
    var keepsPace: Bool { get }

    /// Sends all or part of the data that is available now.
    ///
    /// - Parameter limitBytes: sending stops at the end of the frame that reaches this limit; 0 completes only the
    ///   frame that has begun.
    func send(through writer: ConnectionWriter, limitBytes: Int) -> SendOutcome
    /// Called when nothing was left to send. The stream must queue itself again when it has more.
    func reachedEnd()
    func close()
}

/// The outcome of a stream's turn.
package enum SendOutcome {
    /// Nothing can be sent before requested data arrives.
    case pending
    /// The stream does not know yet what it will send. It continues to search in the next turn of the loop.
    case unfinished
    /// There is nothing to send.
    case atEnd
    /// The socket accepted no more bytes.
    case blocked
    /// The stream stopped at the end of a frame and has more to send in this turn.
    case frameEnded
    /// The stream's turn is over, and the other streams are next.
    case turnEnded
}

/// The connection that carries an outgoing stream, reduced to the members that the stream needs.
@LoopActor package protocol StreamConnection: AnyObject {
    var writer: ConnectionWriter { get }
    /// True if the client assembles large values from chunks.
    var takesChunks: Bool { get }
    /// Sends a message of the protocol, unless the connection is closing.
    func send(_ message: [UInt8])
    /// Sends a notice about a stream, if the connection's protocol has notices.
    func notify(_ notice: [UInt8])
    /// Called when a stream has sent all available data. The writer is still at work during the call.
    func reachedAnEnd()
    /// Ends a stream. Returns false if no stream has this name.
    func removeSubscription(_ subId: String) -> Bool
    /// Closes the connection, because the log could not be read.
    func closeAfterFailure()
}
