/// The state of the connection, reduced to the two states that Convex's clients report: connected or connecting.
public enum WebSocketState: Hashable, Sendable {
    case connected
    case connecting

    /// Returns nil for a client that is neither connected nor connecting.
    init?(_ state: ConnectionState) {
        switch state {
        case .connected: self = .connected
        case .connecting, .waiting: self = .connecting
        case .idle, .closed: return nil
        }
    }
}

/// Each change between ``WebSocketState/connected`` and ``WebSocketState/connecting``. Ends when the client is closed.
public struct WebSocketStates: AsyncSequence, Sendable {
    public typealias Element = WebSocketState
    public typealias Failure = Never

    private let states: ConnectionStates

    init(_ states: ConnectionStates) { self.states = states }

    public func makeAsyncIterator() -> Iterator { Iterator(states: states.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var states: ConnectionStates.Iterator
        private var last: WebSocketState?

        fileprivate init(states: ConnectionStates.Iterator) { self.states = states }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> WebSocketState? {
            while let state = await states.next(isolation: actor) {
                guard let state = WebSocketState(state), state != last else { continue }
                last = state
                return state
            }
            return nil
        }

        public mutating func next() async -> WebSocketState? { await next(isolation: nil) }
    }
}

#if !canImport(Combine) && !COMBINE_STAND_IN
    extension BridgeClient {
        /// The state of the connection to the bridge: the current one, then each change.
        public var connectionState: ConnectionStates { connectionStates }

        /// Whether the client is connected or connecting, at each change.
        public func watchWebSocketState() -> WebSocketStates { WebSocketStates(connectionStates) }
    }
#endif
