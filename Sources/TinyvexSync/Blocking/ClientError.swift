import EventLoop

/// What can go wrong between a client and its bridge, and who can mend it.
public enum ClientError: Error, Sendable, CustomStringConvertible {
    /// Nobody answers there.
    case unreachable(BridgeAddress, SystemError)
    /// The bridge wants a token, or another one than it was shown.
    case unauthorized(tokenWasShown: Bool)
    /// The bridge refused the connection for another reason: the HTTP status and its sentence.
    case refused(status: Int, reason: String)
    /// What answered does not speak the protocol.
    case notABridge(String)
    /// The bridge was stopped, and said so.
    case stopped
    /// The connection ended; a client may connect anew and go on where it was.
    case disconnected
    /// The bridge answered a request with an error. `code` is `TVX…` where there is one.
    case server(rpcCode: Int, code: String?, message: String, candidates: [String])

    /// The connection has ended, on purpose or not; a client may connect anew and go on where it was.
    public var isEndOfConnection: Bool {
        switch self {
        case .stopped, .disconnected: true
        default: false
        }
    }

    public var description: String {
        switch self {
        case .unreachable(let endpoint, let error): "no bridge answers at \(endpoint) (\(error.reason))"
        case .unauthorized(tokenWasShown: true):
            "the bridge has another token than the one it was shown; its own is in its configuration folder, in `token`"
        case .unauthorized(tokenWasShown: false):
            "the bridge wants a token: give the file that holds it with --token-file, or ACPBRIDGE_TOKEN"
        case .refused(let status, let reason): "the bridge refused the connection (\(status)): \(reason)"
        case .notABridge(let reason): "what answers there is no acpbridge: \(reason)"
        case .stopped: "the bridge was stopped"
        case .disconnected: "the connection to the bridge was lost"
        case .server(_, let code, let message, _): code.map { "\(message) (\($0))" } ?? message
        }
    }
}
