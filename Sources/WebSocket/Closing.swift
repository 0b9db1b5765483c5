/// The state of one connection in the closing handshake. Source: RFC 6455, sections 5.5.1 and 7.1.
///
/// Each method reports an event and returns the action to perform.
package enum Closing: Sendable, Equatable {
    /// Moves to `closeSent` on ``closeFrameSent()`` and to `closeReceived` on ``closeFrameReceived()``.
    case open
    /// We started the close. Moves to `closed` when the peer's close frame arrives.
    case closeSent
    /// The peer started the close. Moves to `closed` when our close frame is sent.
    case closeReceived
    /// Both close frames were exchanged.
    case closed

    package enum Action: Sendable, Equatable {
        case nothing
        /// Send a close frame with the peer's code and call ``Closing/closeFrameSent()``.
        case answer
        /// Wait for the peer's close frame. The owner must set a deadline.
        case awaitAnswer
        /// A server closes the transport at once. A client briefly waits for the server to close it.
        case endTransport
    }

    /// True while messages can be sent. No message can follow a close frame of either side, because the peer would not
    /// read it.
    package var allowsMessages: Bool { self == .open }

    package mutating func closeFrameSent() -> Action {
        switch self {
        case .open:
            self = .closeSent
            return .awaitAnswer
        case .closeReceived:
            self = .closed
            return .endTransport
        case .closeSent, .closed:
            return .nothing
        }
    }

    package mutating func closeFrameReceived() -> Action {
        switch self {
        case .open:
            self = .closeReceived
            return .answer
        case .closeSent:
            self = .closed
            return .endTransport
        case .closeReceived, .closed:
            return .nothing
        }
    }
}
