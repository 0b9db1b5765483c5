/// Why there is no connection, or none any more.
public enum TransportFailure: Error, Sendable, Equatable {
    /// The endpoint cannot be one; `reason` says how it is written.
    case invalidEndpoint(reason: String)
    /// Nobody answers at the endpoint, its name is not known, its socket may not be opened, or what took the connection
    /// ended it unanswered; `reason` says which.
    case unreachable(reason: String)
    /// The connection was not open within the request's time.
    case timedOut
    /// The certificate is not trusted, or TLS failed in another way.
    case insecure(reason: String)
    /// 401: the token is missing, wrong or used up.
    case unauthorized
    /// 429, or 503 with `Retry-After`: to be tried again, not before `retryAfter` where the server named a time.
    case busy(retryAfter: Duration?)
    /// Another HTTP status in place of 101, and the first line of what came with it.
    case refused(status: Int, reason: String)
    /// What answers is no WebSocket server, or broke the protocol (RFC 6455).
    case notWebSocket(reason: String)
    /// A message was larger than the request's limit. The connection has ended; `beginning` is some of the message, which
    /// says whom it was for.
    case messageTooLarge(limitBytes: Int, beginning: [UInt8])
    /// The peer closed in order; `code` is nil where its close frame had none (RFC 6455, section 7.4).
    case closed(code: UInt16?, reason: String)
    /// The connection, once it was open, ended without a close frame.
    case lost(reason: String)
    /// The waiting task was cancelled.
    case cancelled
}

extension TransportFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidEndpoint(let reason): reason
        case .unreachable(let reason): "nobody answers: \(reason)"
        case .timedOut: "there was no answer in time"
        case .insecure(let reason): "no secure connection could be made: \(reason)"
        case .unauthorized: "the token was not accepted"
        case .busy(let retryAfter?): "the server is busy for the next \(retryAfter)"
        case .busy(nil): "the server is busy"
        case .refused(let status, let reason): "the server refused with status \(status): \(reason)"
        case .notWebSocket(let reason): "what answers does not speak the protocol: \(reason)"
        case .messageTooLarge(let limit, _): "the server sent a message of more than \(limit) bytes"
        case .closed(let code?, let reason):
            "the server closed the connection (\(code))\(reason.isEmpty ? "" : ": \(reason)")"
        case .closed(nil, _): "the server closed the connection"
        case .lost(let reason): "the connection was lost: \(reason)"
        case .cancelled: "it was cancelled"
        }
    }
}
