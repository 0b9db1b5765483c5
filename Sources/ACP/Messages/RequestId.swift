import JSONRPC

extension ACP {
    /// The id of a JSON-RPC request: `null`, a number or a string. The three are never equal to each other. Schema:
    /// `RequestId`.
    public typealias RequestId = RequestID

    /// The kind of a failure. Codes that have no name here are kept. Schema: `ErrorCode`.
    public typealias ErrorCode = JSONRPC.ErrorCode
}

extension JSONRPC.ErrorCode: Codable {}
