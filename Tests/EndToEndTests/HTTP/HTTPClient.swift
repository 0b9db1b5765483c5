import EventLoop
import HTTP1
import JSONScan
import Posix

/// Sends requests to a bridge over HTTP, with one connection per request.
struct HTTPClient {
    let address: SocketAddress
    var token: String?

    init(_ address: SocketAddress, token: String? = nil) {
        self.address = address
        self.token = token
    }

    func get(_ target: String, _ fields: [String] = []) throws -> Response {
        try ask("GET", target, fields)
    }

    func post(_ target: String, _ body: String, _ fields: [String] = []) throws -> Response {
        try ask("POST", target, fields + ["Content-Length: \(body.utf8.count)"], body)
    }

    func ask(_ method: String, _ target: String, _ fields: [String] = [], _ body: String = "") throws -> Response {
        let authorization = token.map { ["Authorization: Bearer \($0)"] } ?? []
        return try RawConnection(address).response(
            to: RawConnection.head(target, method: method, authorization + fields) + body)
    }

    /// Calls a function in the format of Convex's clients.
    func call(_ kind: String, _ path: String, _ args: String = "{}") throws -> Response {
        try post("/api/\(kind)", #"{"path":"\#(path)","args":\#(args),"format":"json"}"#)
    }
}

extension Response {
    func json() throws -> JSONValue { try JSONValue(validating: body) }
}
