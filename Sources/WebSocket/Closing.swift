/// Where one connection stands in the closing handshake. Source: RFC 6455, sections 5.5.1 and 7.1.
///
/// Its methods tell what happened; each returns what has to be done.
public enum Closing: Sendable, Equatable {
    /// To `closeSent` by ``closeFrameSent()``, to `closeReceived` by ``closeFrameReceived()``.
    case open
    /// We asked. To `closed` when the peer's close frame arrives.
    case closeSent
    /// The peer asked. To `closed` when our answer is sent.
    case closeReceived
    /// Both close frames went by, or the transport ended.
    case closed

    public enum Action: Sendable, Equatable {
        case nothing
        /// Send a close frame with the peer's code and tell ``Closing/closeFrameSent()``.
        case answer
        /// Wait for the peer's close frame, but only for so long: the deadline is the owner's.
        case awaitAnswer
        /// A server closes the transport at once; a client waits a moment for the server to do so.
        case endTransport
    }

    public enum Ending: Sendable, Equatable {
        /// Both close frames had gone by.
        case clean
        /// What ``CloseCode/abnormalClosure`` reports.
        case abnormal
    }

    /// Messages may be sent. Once either side has sent a close frame they may not, or nobody would read them.
    public var allowsMessages: Bool { self == .open }

    public mutating func closeFrameSent() -> Action {
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

    public mutating func closeFrameReceived() -> Action {
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

    public mutating func transportEnded() -> Ending {
        defer { self = .closed }
        return self == .closed ? .clean : .abnormal
    }
}
