import HTTP1
import WebSocket

/// The HTTP exchange that opens a connection, as the client sees it. Pure. Source: RFC 6455, section 4.1.
///
/// No redirect is followed: a token goes where its owner said, not where a server says.
struct OpeningHandshake {
    /// To be sent first.
    let request: [UInt8]
    private let key: String
    private var parser = ResponseParser()
    /// The header of the answer that opened the connection.
    private(set) var answer = Headers()

    /// More than any sentence that somebody will read.
    private static let reasonLimitBytes = 300

    init(_ request: ConnectionRequest, nonce: (UInt64, UInt64)) {
        key = Handshake.key(nonce: nonce)
        let rights = request.token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        let fields = rights + request.fields.map { (name: $0.name, value: $0.value) }
        self.request = Handshake.clientRequest(
            host: request.endpoint.hostField, path: request.endpoint.target, key: key, fields: fields)
    }

    /// Nil until the answer is whole; then the connection is open, and these are its first bytes.
    mutating func bytesArrived(_ bytes: UnsafeRawBufferPointer) throws(TransportFailure) -> [UInt8]? {
        parser.append(bytes)
        guard let response = try nextResponse() else { return nil }
        if let failure = failure(response) { throw failure }
        answer = response.headers
        return parser.takeRemainder()
    }

    /// The connection has ended before it was open. One that is dying still has callers queued, and answers none.
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

    /// Why this answer opens nothing; nil when it does.
    private func failure(_ response: Response) -> TransportFailure? {
        let retryAfter = response.headers.first("Retry-After")
        switch response.status {
        case 101: return unfitUpgrade(response)
        case 401: return .unauthorized
        case 429: return .busy(retryAfter: Self.duration(retryAfter))
        case 503 where retryAfter != nil: return .busy(retryAfter: Self.duration(retryAfter))
        default: return .refused(status: response.status, reason: Self.firstLine(response.body))
        }
    }

    private func unfitUpgrade(_ response: Response) -> TransportFailure? {
        do throws(Handshake.Failure) {
            _ = try Handshake.verify(status: response.status, key: key) { response.headers.all($0) }
            return nil
        } catch {
            return .notWebSocket(reason: error.description)
        }
    }

    /// A number of seconds. The other form, a date, would ask for a clock that agrees with the server's: it counts as no
    /// time named. Source: RFC 9110, section 10.2.3.
    private static func duration(_ retryAfter: String?) -> Duration? {
        retryAfter.flatMap { UInt32($0) }.map { .seconds(Int64($0)) }
    }

    private static func firstLine(_ body: [UInt8]) -> String {
        let line = body.prefix(reasonLimitBytes).prefix { $0 != 0x0A && $0 != 0x0D }
        return String(decoding: line, as: UTF8.self)
    }
}
