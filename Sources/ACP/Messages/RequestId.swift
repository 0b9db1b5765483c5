import JSONCoding
import JSONRPC

extension ACP {
    /// The id of a JSON-RPC request: `null`, a number or a string, and never one for the other. Schema: `RequestId`.
    public typealias RequestId = RequestID

    /// What kind of failure it is. Others than those named are kept. Schema: `ErrorCode`.
    public typealias ErrorCode = JSONRPC.ErrorCode
}

extension RequestID: Codable {
    public init(from decoder: any Decoder) throws {
        guard let id = RequestID(try RawJSON(from: decoder).value) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "an id is a string, a number or null"))
        }
        self = id
    }

    /// As it was read.
    public func encode(to encoder: any Encoder) throws {
        try RawJSON(validating: rawText).encode(to: encoder)
    }
}

extension JSONRPC.ErrorCode: Codable {}
