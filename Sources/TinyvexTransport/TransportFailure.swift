/// The reason why a connection could not be made, or why it ended.
public enum TransportFailure: Error, Sendable, Equatable {
    /// The endpoint is not valid; `reason` describes the correct form.
    case invalidEndpoint(reason: String)
    /// Nothing answers at the endpoint, its name is unknown, its socket cannot be opened, or the server accepted the
    /// connection and ended it unanswered. `reason` names the case.
    case unreachable(reason: String)
    /// Another user listens on the Unix socket. Nothing was sent to that user.
    case untrusted(reason: String)
    /// The connection was not open within the request's time limit.
    case timedOut
    /// The certificate is not trusted, or TLS failed in another way.
    case insecure(reason: String)
    /// 401: the token is missing, wrong or used up.
    case unauthorized
    /// 429, or 503 with `Retry-After`. Try again, but not before `retryAfter` if the server named a time.
    case busy(retryAfter: Duration?)
    /// An HTTP status other than 101, and the first line of the response body.
    case refused(status: Int, reason: String)
    /// The server is not a WebSocket server, or violated the protocol (RFC 6455).
    case notWebSocket(reason: String)
    /// A message was larger than the request's limit. The connection has ended. `beginning` contains the first bytes of
    /// the message, which identify its receiver.
    case messageTooLarge(limitBytes: Int, beginning: [UInt8])
    /// The peer closed in order. `code` is nil if its close frame had none (RFC 6455, section 7.4).
    case closed(code: UInt16?, reason: String)
    /// The connection was open, and ended without a close frame.
    case lost(reason: String)
    /// The waiting task was cancelled.
    case cancelled
}

extension TransportFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidEndpoint(let reason): reason
        case .unreachable(let reason): "no answer: \(reason)"
        case .untrusted(let reason): reason
        case .timedOut: "there was no answer in time"
        case .insecure(let reason): "no secure connection could be made: \(reason)"
        case .unauthorized: "the token was not accepted"
        case .busy(let retryAfter?): "the server is busy for the next \(retryAfter)"
        case .busy(nil): "the server is busy"
        case .refused(let status, let reason): "the server refused with status \(status): \(reason)"
        case .notWebSocket(let reason): "the server does not use the protocol: \(reason)"
        case .messageTooLarge(let limit, _): "the server sent a message of more than \(limit) bytes"
        case .closed(let code?, let reason):
            "the server closed the connection (\(code))\(reason.isEmpty ? "" : ": \(reason)")"
        case .closed(nil, _): "the server closed the connection"
        case .lost(let reason): "the connection was lost: \(reason)"
        case .cancelled: "it was cancelled"
        }
    }
}

/// The close codes that matter to a client (RFC 6455, section 7.4.1).
package enum CloseReason {
    package static let normal: UInt16 = 1000
    package static let goingAway: UInt16 = 1001
    package static let invalidData: UInt16 = 1007
    package static let policyViolation: UInt16 = 1008
    package static let messageTooBig: UInt16 = 1009
}

extension TransportFailure {
    /// The failure for an answer that does not open a connection.
    ///
    /// - Parameter retryAfter: The field `Retry-After`. A number of seconds counts. A date, the other form, counts as
    ///   absent, because it needs a clock that agrees with the server's. Source: RFC 9110, section 10.2.3.
    /// - Parameter reason: The first line of the response body.
    package init(status: Int, retryAfter: String?, reason: String) {
        let delay = retryAfter.flatMap { UInt32($0) }.map { Duration.seconds(Int64($0)) }
        switch status {
        case 401: self = .unauthorized
        case 429: self = .busy(retryAfter: delay)
        case 503 where retryAfter != nil: self = .busy(retryAfter: delay)
        default: self = .refused(status: status, reason: reason)
        }
    }
}
