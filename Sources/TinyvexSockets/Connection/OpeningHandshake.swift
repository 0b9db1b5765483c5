import HTTP1
import TinyvexTransport
import WebSocket

/// The client's side of the HTTP exchange that opens a connection. Pure: performs no I/O. Source: RFC 6455, section
/// 4.1.
///
/// Redirects are not followed: the token's owner decides where the token is sent, not a server.
struct OpeningHandshake {
    /// Send this first.
    let request: [UInt8]
    private let key: String
    private var parser = ResponseParser()
    /// The header of the answer that opened the connection.
    private(set) var answer = Headers()

    /// Longer than any sentence that a person will read.
    private static let reasonLimitBytes = 300

    init(_ request: ConnectionRequest, nonce: (UInt64, UInt64)) {
        key = Handshake.key(nonce: nonce)
        let rights = request.token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        let fields = rights + request.fields.map { (name: $0.name, value: $0.value) }
        self.request = Handshake.clientRequest(
            host: request.endpoint.hostField, path: request.endpoint.target, key: key, fields: fields)
    }

    /// Returns nil until the answer is complete. Then the connection is open, and the result is its first bytes.
    mutating func bytesArrived(_ bytes: UnsafeRawBufferPointer) throws(TransportFailure) -> [UInt8]? {
        parser.append(bytes)
        guard let response = try nextResponse() else { return nil }
        if let failure = failure(response) { throw failure }
        answer = response.headers
        return parser.takeRemainder()
    }

    /// The connection ended before it was open. A bridge that is shutting down can still have queued callers, and
    /// answers none of them.
    mutating func streamEnded() -> TransportFailure {
        parser.connectionEnded().flatMap(failure) ?? .unreachable(reason: "the connection ended unanswered")
    }

    private mutating func nextResponse() throws(TransportFailure) -> Response? {
        do throws(MalformedResponse) {
            return try parser.next()
        } catch {
            throw .notWebSocket(reason: error.reason)
        }
    }

    /// The reason why this answer does not open a connection; nil if it does.
    private func failure(_ response: Response) -> TransportFailure? {
        if response.status == 101 { return unfitUpgrade(response) }
        return TransportFailure(
            status: response.status, retryAfter: response.headers.first("Retry-After"),
            reason: Self.firstLine(response.body))
    }

    private func unfitUpgrade(_ response: Response) -> TransportFailure? {
        do throws(Handshake.Failure) {
            _ = try Handshake.verify(status: response.status, key: key) { response.headers.all($0) }
            return nil
        } catch {
            return .notWebSocket(reason: error.description)
        }
    }

    private static func firstLine(_ body: [UInt8]) -> String {
        let line = body.prefix(reasonLimitBytes).prefix { $0 != 0x0A && $0 != 0x0D }
        return String(decoding: line, as: UTF8.self)
    }
}
