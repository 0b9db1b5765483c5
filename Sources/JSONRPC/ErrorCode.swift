/// The `code` of a JSON-RPC error. Unknown codes are kept unchanged.
public struct ErrorCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}

/// JSON-RPC 2.0 section 5.1.
extension ErrorCode {
    /// The text is not JSON.
    public static let parseError = ErrorCode(rawValue: -32700)
    /// The text is JSON, but not a JSON-RPC message.
    public static let invalidRequest = ErrorCode(rawValue: -32600)
    /// The receiver does not know the method.
    public static let methodNotFound = ErrorCode(rawValue: -32601)
    /// The method is known, but the params do not match it.
    public static let invalidParams = ErrorCode(rawValue: -32602)
    /// The receiver failed, and the request was not the cause.
    public static let internalError = ErrorCode(rawValue: -32603)
}

/// The error codes of the Agent Client Protocol (`ErrorCode` in its schema).
extension ErrorCode {
    /// The request was cancelled before it was answered.
    public static let requestCancelled = ErrorCode(rawValue: -32800)
    /// The agent requires `authenticate` first.
    public static let authenticationRequired = ErrorCode(rawValue: -32000)
    /// A file or another resource does not exist.
    public static let resourceNotFound = ErrorCode(rawValue: -32002)
    /// ACP version 2: the agent does not accept the version of a repeated `initialize`.
    public static let unsupportedProtocolVersion = ErrorCode(rawValue: -32022)
}
