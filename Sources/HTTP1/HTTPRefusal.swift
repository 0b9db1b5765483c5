/// Why a message is not accepted: the status to answer with, and one sentence. The connection is closed after it.
public struct HTTPRefusal: Error, Sendable, Equatable {
    public let status: Int
    /// One sentence for whoever wrote the client; it repeats nothing the client sent.
    public let reason: String

    public init(status: Int, reason: String) {
        self.status = status
        self.reason = reason
    }

    /// The answer, as plain text.
    public var response: Response {
        .text(reason, status: status)
    }
}

extension HTTPRefusal {
    static let controlByte = HTTPRefusal(status: 400, reason: "A head may not contain control characters.")
    static let bareLineEnding = HTTPRefusal(
        status: 400, reason: "Lines must end in CR LF, and neither may stand alone.")
    static let malformedRequestLine = HTTPRefusal(
        status: 400, reason: "The first line must be a method, a target and a version with one space between.")
    static let malformedTarget = HTTPRefusal(
        status: 400, reason: "The target must be an absolute path in visible ASCII characters, without a fragment.")
    static let foldedField = HTTPRefusal(status: 400, reason: "Header fields may not be folded over lines.")
    static let malformedFieldName = HTTPRefusal(
        status: 400, reason: "A header field must be a token, a colon right behind it, and a value.")
    static let malformedFieldValue = HTTPRefusal(status: 400, reason: "Header values must be valid UTF-8.")
    static let hostMissing = HTTPRefusal(status: 400, reason: "HTTP/1.1 requires a Host field.")
    static let malformedHost = HTTPRefusal(status: 400, reason: "Host must be there once and name a host.")
    static let malformedContentLength = HTTPRefusal(
        status: 400, reason: "Content-Length must be there once, in decimal digits.")
    static let ambiguousLength = HTTPRefusal(
        status: 400, reason: "Content-Length and Transfer-Encoding may not come together.")
    static let bodyTooLarge = HTTPRefusal(status: 413, reason: "The body is over the limit.")
    static let requestLineTooLong = HTTPRefusal(status: 414, reason: "The first line is over the limit.")
    static let expectation = HTTPRefusal(
        status: 417, reason: "Expectations are not met here: send the body right away.")
    static let headTooLarge = HTTPRefusal(status: 431, reason: "The header fields are over the limit.")
    static let methodNotImplemented = HTTPRefusal(status: 501, reason: "The method is not known here.")
    static let transferEncoding = HTTPRefusal(
        status: 501, reason: "Transfer codings are not supported: send a Content-Length.")
    static let version = HTTPRefusal(status: 505, reason: "The versions spoken here are HTTP/1.1 and HTTP/1.0.")
}
