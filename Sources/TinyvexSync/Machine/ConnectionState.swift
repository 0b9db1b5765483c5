/// How a client stands to its bridge.
public enum ConnectionState: Sendable, Equatable {
    /// Nothing has asked for a connection yet, or it has ended and nothing asks for one. `because` says what ended it for
    /// good, where something did.
    case idle(because: TinyvexError?)
    case connecting
    case connected
    /// The connection failed or was lost; it is tried again after this time.
    case waiting(for: Duration, because: TransportFailure)
    /// Closed by its own program, for good.
    case closed
}
