import JSONScan
import Tinyvex

/// Decodes a request whose params are written as JSON text; nil for none.
func decode(_ method: String, _ params: String?) throws -> ClientRequest {
    try ClientRequest.decode(method: method, params: params.map { try JSONValue(validating: Array($0.utf8)) })
}

/// The rejection that a request meets; nil when it is accepted.
func rejection(of method: String, _ params: String?) -> Rejection? {
    do {
        _ = try decode(method, params)
        return nil
    } catch {
        return error as? Rejection
    }
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
