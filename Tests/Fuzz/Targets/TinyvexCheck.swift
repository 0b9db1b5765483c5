import JSONRPC
import JSONScan
import Tinyvex

/// A message from a client.
enum TinyvexCheck {
    static func check(_ bytes: [UInt8]) throws(Finding) {
        guard let value = try? JSONValue(validating: bytes) else { return }
        switch Message(value) {
        case .request(let id, let method, let params):
            try checkAnswer(to: id, method, params)
        case .notification(_, let params): try checkAnswer(to: .null, "tinyvex/ping", params)
        case .response(let id, _): try checkId(id)
        case .invalid(_, let id): try checkId(id ?? .null)
        case .batch: break
        }
    }

    private static func checkAnswer(to id: RequestID, _ method: String, _ params: JSONValue?) throws(Finding) {
        try checkId(id)
        do throws(Rejection) {
            _ = try ClientRequest.decode(method: method, params: params)
        } catch {
            guard let answer = try? JSONValue(validating: error.response(to: id, serverTs: 0)) else {
                throw Finding("a rejection is JSON")
            }
            try Finding.unless(
                answer["error"]?["message"]?.stringValue?.isEmpty == false, "an error response has a message")
            try Finding.unless(
                answer["id"]?.rawText.elementsEqual(id.rawText) == true, "a response has the request's id")
        }
    }

    /// Checks that an id keeps its spelling.
    private static func checkId(_ id: RequestID) throws(Finding) {
        guard let value = try? JSONValue(validating: id.rawText) else { throw Finding("an id must be valid JSON") }
        try Finding.unless(RequestID(value) == id, "an id round-trips")
    }
}
