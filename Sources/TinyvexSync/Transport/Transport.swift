/// Makes WebSocket connections to a bridge. The engine knows nothing else of the network.
///
/// One transport may make any number of connections.
public protocol Transport: Sendable {
    /// Opens a connection, handshake included. Cancelling the task gives it up and leaves nothing behind.
    func connect(_ request: ConnectionRequest) async throws(TransportFailure) -> any TransportConnection
}

/// One WebSocket connection. It answers pings and close frames itself and hands out text messages alone.
///
/// `receive` and `send` may run beside each other, each for one caller at a time. Once one of them has thrown, the
/// connection has ended: both throw from then on. A connection that nobody holds any more closes itself.
public protocol TransportConnection: Sendable {
    /// What has arrived since the last call, in order and never empty; waits for the first message.
    ///
    /// All that is here comes in one batch: at hundreds of thousands of messages a second none may cost a hop of its own.
    /// The batch is bounded (``MessageBatch/sizeHintBytes``); what is not asked for stays in the socket, so that a
    /// reader which stops calling stops its peer. The end is always thrown, after the last whole message was handed
    /// out: `.closed` for a close frame, `.lost` without one. Cancelling the task throws `.cancelled` and loses no
    /// message.
    func receive() async throws(TransportFailure) -> MessageBatch

    /// Sends whole texts, each as one message, in order. Returns when the socket has taken them, or the connection has
    /// room to keep them: it keeps at most 256 KiB of its own.
    func send(_ texts: [[UInt8]]) async throws(TransportFailure)

    /// When bytes last came: pings, pongs and parts of messages too. A peer that is silent for long is taken for dead.
    var lastHeard: ContinuousClock.Instant { get }

    /// Sends a close frame, waits a moment for the peer's, and ends the connection. Does nothing where it has ended.
    func close(code: UInt16) async
}

/// What a connection is asked for with.
public struct ConnectionRequest: Sendable, Equatable {
    public var endpoint: Endpoint
    /// Shown as `Authorization: Bearer …`; nil shows nothing.
    public var token: String?
    /// Header fields of the handshake, beside those it has of itself.
    public var fields: [Field] = []
    /// For the whole of it: looking a name up, connecting, TLS, and the handshake.
    public var timeout: Duration
    /// A longer message ends the connection with 1009, and `receive` throws `.messageTooLarge`. The protocol's longest is an update of 64 MiB and what stands
    /// around it.
    public var messageLimitBytes: Int

    /// A header field.
    public struct Field: Sendable, Equatable {
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public init(
        endpoint: Endpoint, token: String? = nil, timeout: Duration = .seconds(10), messageLimitBytes: Int = 65 << 20
    ) {
        self.endpoint = endpoint
        self.token = token
        self.timeout = timeout
        self.messageLimitBytes = messageLimitBytes
    }
}
