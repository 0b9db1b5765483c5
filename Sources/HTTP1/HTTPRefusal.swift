/// The reason for refusing a message: the status of the response and one sentence. The connection is closed after it.
package struct HTTPRefusal: Error, Sendable, Equatable {
    package let status: Int
    /// One sentence for the client's developer. It repeats nothing that the client sent.
    package let reason: String

    package init(status: Int, reason: String) {
        self.status = status
        self.reason = reason
    }
}

extension HTTPRefusal {
    static let controlByte = HTTPRefusal(status: 400, reason: "A head must not contain control characters.")
    static let bareLineEnding = HTTPRefusal(
        status: 400, reason: "Lines must end in CR LF. A CR or LF alone is not allowed.")
    static let malformedRequestLine = HTTPRefusal(
        status: 400, reason: "The first line must be a method, a target and a version separated by single spaces.")
    static let malformedTarget = HTTPRefusal(
        status: 400, reason: "The target must be an absolute path in visible ASCII characters, without a fragment.")
    static let foldedField = HTTPRefusal(status: 400, reason: "A header field must not continue on another line.")
    static let malformedFieldName = HTTPRefusal(
        status: 400, reason: "A header field must be a token, a colon directly after it, and a value.")
    static let malformedFieldValue = HTTPRefusal(status: 400, reason: "Header values must be valid UTF-8.")
    static let hostMissing = HTTPRefusal(status: 400, reason: "HTTP/1.1 requires a Host field.")
    static let malformedHost = HTTPRefusal(status: 400, reason: "Host must occur exactly once and be a valid host.")
    static let malformedContentLength = HTTPRefusal(
        status: 400, reason: "Content-Length must occur exactly once, in decimal digits.")
    static let ambiguousLength = HTTPRefusal(
        status: 400, reason: "Content-Length and Transfer-Encoding must not both be present.")
    static let ambiguousCoding = HTTPRefusal(
        status: 400, reason: "Transfer-Encoding must occur exactly once, and only since HTTP/1.1.")
    static let malformedChunk = HTTPRefusal(
        status: 400, reason: "A chunk must be its size in hexadecimal digits, its bytes, and CR LF after each.")
    static let chunkExtensions = HTTPRefusal(status: 400, reason: "The extensions of the chunks exceed the limit.")
    static let trailerTooLarge = HTTPRefusal(status: 431, reason: "The trailer exceeds the limit.")
    static let bodyTooLarge = HTTPRefusal(status: 413, reason: "The body exceeds the limit.")
    static let requestLineTooLong = HTTPRefusal(status: 414, reason: "The first line exceeds the limit.")
    static let expectation = HTTPRefusal(
        status: 417, reason: "Expect can only be 100-continue.")
    static let headTooLarge = HTTPRefusal(status: 431, reason: "The header fields exceed the limit.")
    static let methodNotImplemented = HTTPRefusal(status: 501, reason: "The method is not supported.")
    static let transferEncoding = HTTPRefusal(
        status: 501, reason: "The only supported transfer coding is chunked.")
    static let version = HTTPRefusal(status: 505, reason: "The supported versions are HTTP/1.1 and HTTP/1.0.")
}
