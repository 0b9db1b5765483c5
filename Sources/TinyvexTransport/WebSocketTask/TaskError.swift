/// An error of Foundation's URL loading, as its domain and code. Pure, so that its meaning is tested on each platform.
package struct TaskError: Sendable, Equatable {
    package let domain: String
    package let code: Int
    /// A description in a person's language.
    package let reason: String

    package init(domain: String, code: Int, reason: String) {
        self.domain = domain
        self.code = code
        self.reason = reason
    }

    /// `EMSGSIZE` on Apple's platforms: the message is larger than `maximumMessageSize`.
    private static let messageTooLong = 40

    /// The failure of a connection that was not open yet.
    func failureToConnect() -> TransportFailure {
        guard domain == "NSURLErrorDomain" else { return .unreachable(reason: reason) }
        return switch code {
        // NSURLErrorCancelled
        case -999: .cancelled
        // NSURLErrorTimedOut
        case -1001: .timedOut
        // NSURLErrorSecureConnectionFailed to NSURLErrorClientCertificateRequired, and
        // NSURLErrorAppTransportSecurityRequiresSecureConnection
        case -1206 ... -1200, -1022: .insecure(reason: reason)
        // NSURLErrorBadServerResponse: an answer that is not a handshake.
        case -1011: .notWebSocket(reason: reason)
        // NSURLErrorBadURL, NSURLErrorUnsupportedURL
        case -1000, -1002: .invalidEndpoint(reason: reason)
        default: .unreachable(reason: reason)
        }
    }

    /// The failure of a connection that was open.
    func failureOfConnection(messageLimitBytes: Int) -> TransportFailure {
        domain == "NSPOSIXErrorDomain" && code == Self.messageTooLong
            ? .messageTooLarge(limitBytes: messageLimitBytes, beginning: []) : .lost(reason: reason)
    }
}

/// The answer to a handshake that opened no connection.
package struct HandshakeAnswer: Sendable, Equatable {
    package let status: Int
    package let retryAfter: String?

    package init(status: Int, retryAfter: String?) {
        self.status = status
        self.retryAfter = retryAfter
    }
}
