import TinyvexSync

extension BridgeClient {
    /// Sets the token for this and all later connections. On an open connection, the bridge receives it at once;
    /// nil removes all rights there.
    ///
    /// The token is only kept in memory; the program decides where to store it.
    public func setAuthToken(_ token: String?) { engine.sync.setToken(token) }

    /// Sets the function that supplies a new token when the bridge rejects the current one. It is called once, and
    /// again only after the bridge has accepted a token. If it returns nil, or if the bridge rejects the new token
    /// too, pending calls fail with `TinyvexError.unauthorized`.
    public func setAuthTokenSource(_ source: (@Sendable () async -> String?)?) { engine.sync.setTokenSource(source) }

    /// The current state of the connection to the bridge.
    public var currentConnectionState: ConnectionState { engine.sync.connectionState }

    /// The state of the connection to the bridge: the current one, then each change. A slow reader receives only
    /// the newest state.
    public var connectionStates: ConnectionStates { engine.sync.connectionStates() }

    /// Closes the client permanently. Pending calls fail with `TinyvexError.closed`.
    public func close() { engine.sync.close() }
}
