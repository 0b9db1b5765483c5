/// Makes WebSocket connections to a bridge. It is the engine's only interface to the network.
///
/// One transport can make any number of connections.
public protocol Transport: Sendable {
    /// Opens a connection, including the handshake. Cancelling the task ends the attempt and releases all its
    /// resources.
    func connect(_ request: ConnectionRequest) async throws(TransportFailure) -> any TransportConnection
}

/// One WebSocket connection. It answers pings and close frames itself, and returns only text messages.
///
/// `receive` and `send` can run concurrently, each for one caller at a time. After one of them has thrown, the
/// connection has ended, and both throw from then on. A connection closes itself when its last reference is released.
public protocol TransportConnection: Sendable {
    /// Returns the messages since the last call, in order and never empty. Waits for the first message.
    ///
    /// All available messages come in one batch, because at hundreds of thousands of messages a second a task switch
    /// per message would be too expensive. The batch is bounded (``MessageBatch/sizeHintBytes``). Further bytes stay in
    /// the socket, so a reader that stops calling also stops its peer. The end is always thrown, after the last whole
    /// message was returned: `.closed` after a close frame, `.lost` without one. Cancelling the task throws
    /// `.cancelled` and loses no message.
    func receive() async throws(TransportFailure) -> MessageBatch

    /// Sends whole texts in order, each as one message. Returns when the socket has accepted them, or when the
    /// connection has room to buffer them. The connection buffers at most 256 KiB.
    func send(_ texts: [[UInt8]]) async throws(TransportFailure)

    /// The time of the last received bytes, including pings, pongs and parts of messages. A peer that is silent for too
    /// long counts as dead.
    var lastHeard: ContinuousClock.Instant { get }

    /// Sends a close frame, waits briefly for the peer's, and ends the connection. Does nothing if the connection has
    /// ended.
    func close(code: UInt16) async
}

/// The parameters of a connection attempt.
public struct ConnectionRequest: Sendable, Equatable {
    public var endpoint: Endpoint
    /// Sent as `Authorization: Bearer …`; nil: not sent.
    public var token: String?
    /// Additional header fields of the handshake.
    public var fields: [Field] = []
    /// Time limit for the whole attempt: name lookup, connecting, TLS and the handshake.
    public var timeout: Duration
    /// A longer message ends the connection with 1009, and `receive` throws `.messageTooLarge`. The protocol's longest
    /// message is an update of 64 MiB plus its envelope.
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
