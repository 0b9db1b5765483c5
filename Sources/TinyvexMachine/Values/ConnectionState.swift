import TinyvexTransport

/// The state of a client's connection to its bridge.
public enum ConnectionState: Sendable, Equatable {
    /// No call or stream has needed a connection yet, or the connection has ended and none is needed. `because` is the
    /// error that ended it for good, or nil.
    case idle(because: TinyvexError?)
    case connecting
    case connected
    /// The connection failed or was lost. The next attempt follows after this time.
    case waiting(for: Duration, because: TransportFailure)
    /// Closed for good by the client's own program.
    case closed
}
