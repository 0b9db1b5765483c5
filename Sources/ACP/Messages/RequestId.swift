import JSONRPC

extension ACP {
    /// The id of a JSON-RPC request: `null`, a number or a string, and never one for the other. Schema: `RequestId`.
    public typealias RequestId = RequestID

    /// What kind of failure it is. Others than those named are kept. Schema: `ErrorCode`.
    public typealias ErrorCode = JSONRPC.ErrorCode
}

extension JSONRPC.ErrorCode: Codable {}
