/// The `code` of a JSON-RPC error. Codes unknown to us are kept as they are.
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
    /// JSON, but no JSON-RPC message.
    public static let invalidRequest = ErrorCode(rawValue: -32600)
    /// The receiver knows no such method.
    public static let methodNotFound = ErrorCode(rawValue: -32601)
    /// The method is known, its params are not what it takes.
    public static let invalidParams = ErrorCode(rawValue: -32602)
    /// The receiver failed by no fault of the request.
    public static let internalError = ErrorCode(rawValue: -32603)
}

/// The Agent Client Protocol's own codes (`ErrorCode` in its schema).
extension ErrorCode {
    /// The request was cancelled before it had an answer.
    public static let requestCancelled = ErrorCode(rawValue: -32800)
    /// The agent wants `authenticate` first.
    public static let authenticationRequired = ErrorCode(rawValue: -32000)
    /// A file or another resource does not exist.
    public static let resourceNotFound = ErrorCode(rawValue: -32002)
}
