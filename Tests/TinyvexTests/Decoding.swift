import JSONScan
import Tinyvex

/// Decodes a request. `params` is JSON text, or nil for a request without params.
func decode(_ method: String, _ params: String?) throws -> ClientRequest {
    try ClientRequest.decode(method: method, params: params.map { try JSONValue(validating: Array($0.utf8)) })
}

/// The error of a rejected request; nil if the request is accepted.
func rejection(of method: String, _ params: String?) -> Rejection? {
    do {
        _ = try decode(method, params)
        return nil
    } catch {
        return error as? Rejection
    }
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
