/// How a client behaves. What it is set to by default suits a program that a person uses.
public struct SyncConfiguration: Sendable {
    public var endpoint: Endpoint
    /// Told to the bridge, for its operator.
    public var clientName = "TinyvexClient"
    public var clientVersion: String?
    /// For one attempt at a connection.
    public var connectTimeout: Duration = .seconds(10)
    /// The wait before another attempt, growing from the shortest to the longest.
    public var shortestDelay: Duration = .milliseconds(100)
    public var longestDelay: Duration = .seconds(15)
    /// After so many attempts in a row of which nothing came, whatever waits fails; nil: never.
    public var attemptsLimit: Int?
    /// The same before there has been any connection; nil: no other than later.
    public var firstAttemptsLimit: Int?
    /// After so long without a byte from the bridge it is asked for one.
    public var pingAfter: Duration = .seconds(15)
    /// After so long without a byte the connection is taken for lost. The bridge does the same.
    public var deadAfter: Duration = .seconds(120)
    /// Bytes that wait to be sent on the connection. Above it, changes of subscriptions wait and are joined: one that is
    /// made and ended meanwhile is never sent. Calls wait in their queue.
    public var sendLimitBytes = 1 << 20
    /// Bytes of calls that have no answer yet. Above it, a new one fails with `overloaded`.
    public var callLimitBytes = 32 << 20
    /// One message to the bridge. The bridge's own limit is 16 MiB; a larger one would end the connection.
    public var messageLimitBytes = 16 << 20
    /// Bytes that wait for the reader of one session's stream. Above it, its subscription is given up at the bridge, and
    /// taken up again behind the last number once the reader has caught up; where nobody else uses the connection, it
    /// is not read from meanwhile. Nothing is lost either way.
    public var streamLimitBytes = 4 << 20
    /// One message from the bridge. A larger one fails the call or the stream that it was for.
    public var receiveLimitBytes = 65 << 20
    /// One value that comes in parts, and all that are incomplete together.
    public var chunkLimitBytes = 64 << 20

    public init(endpoint: Endpoint) { self.endpoint = endpoint }
}
