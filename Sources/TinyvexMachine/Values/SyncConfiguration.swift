import TinyvexTransport

/// The settings of a client. The defaults suit an interactive program.
public struct SyncConfiguration: Sendable {
    public var endpoint: Endpoint
    /// Sent to the bridge, for its operator.
    public var clientName = "TinyvexClient"
    public var clientVersion: String?
    /// Time limit of one connection attempt.
    public var connectTimeout: Duration = .seconds(10)
    /// The shortest delay before another attempt; delays grow to `longestDelay`.
    public var shortestDelay: Duration = .milliseconds(100)
    public var longestDelay: Duration = .seconds(15)
    /// After this many failed attempts in a row, everything that waits fails; nil: never.
    public var attemptsLimit: Int?
    /// The same limit before the first successful connection; nil: `attemptsLimit` applies.
    public var firstAttemptsLimit: Int?
    /// Silence after which the client sends a ping.
    public var pingAfter: Duration = .seconds(15)
    /// Silence after which the connection counts as lost. The bridge uses the same time.
    public var deadAfter: Duration = .seconds(120)
    /// Bytes that wait to be sent on the connection. Above this limit, subscription changes wait and are merged: a
    /// subscription that is made and ended in that time is never sent. Calls wait in their queue.
    public var sendLimitBytes = 1 << 20
    /// Bytes of unanswered calls. Above this limit, a new call fails with `overloaded`.
    public var callLimitBytes = 32 << 20
    /// Size of one message to the bridge. The bridge's own limit is 16 MiB, and a larger message would end the
    /// connection.
    public var messageLimitBytes = 16 << 20
    /// Bytes that wait for the reader of one session's stream. Above this limit, the client cancels the subscription at
    /// the bridge, and resumes after the last number once the reader has caught up. If no other reader or call uses the
    /// connection, the client stops reading it instead. Nothing is lost either way.
    public var streamLimitBytes = 4 << 20
    /// Size of one message from the bridge. A larger message fails the call or the stream that it was for.
    public var receiveLimitBytes = 65 << 20
    /// Size of one value that arrives in parts, and of all incomplete values together.
    public var chunkLimitBytes = 64 << 20

    public init(endpoint: Endpoint) { self.endpoint = endpoint }
}
