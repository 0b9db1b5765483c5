import TinyvexSync

extension BridgeClient {
    /// From now on this token is shown. On a connection that is open it is told at once; nil drops to no rights there.
    ///
    /// Kept in memory only: where to store a token is the program's matter.
    public func setAuthToken(_ token: String?) { engine.sync.setToken(token) }

    /// Whom to ask for a new token when the bridge refuses the one it was shown: once, until it takes one. Where that
    /// gives none, or the new one is refused too, what waits fails with `TinyvexError.unauthorized`.
    public func setAuthTokenSource(_ source: (@Sendable () async -> String?)?) { engine.sync.setTokenSource(source) }

    /// How the client stands to its bridge now.
    public var currentConnectionState: ConnectionState { engine.sync.connectionState }

    /// How the client stands to its bridge, now and at each change; of several that nobody looked at meanwhile, the
    /// newest.
    public var connectionStates: ConnectionStates { engine.sync.connectionStates() }

    /// Closes the connection for good. Whatever waits fails with `TinyvexError.closed`.
    public func close() { engine.sync.close() }
}
