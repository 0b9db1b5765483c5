import JSONScan

/// The `error` of a JSON-RPC response: `{"code":-32601,"message":"method not found"}`, with or without `data`.
public struct ErrorObject: Sendable {
    public let code: ErrorCode
    /// One sentence for a human reader.
    public let message: String
    /// Additional information from the sender; any JSON value.
    public let data: JSONValue?

    /// `nil` when the code is not an integer or the message is not a string (JSON-RPC 2.0 section 5.1).
    public init?(_ value: JSONValue) {
        guard let code = value["code"]?.int64Value, let message = value["message"]?.stringValue else { return nil }
        self.code = ErrorCode(rawValue: Int(code))
        self.message = message
        data = value["data"]
    }
}
