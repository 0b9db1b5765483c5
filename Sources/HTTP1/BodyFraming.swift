/// The form in which a body follows a head. Source: RFC 9112, section 6.
enum BodyFraming: Sendable {
    /// The number of bytes; 0 without a declaration.
    case length(Int)
    case chunked(ChunkedBody)

    /// The form of a request's body. A request with both declarations is refused, because two ways to declare a length allow smuggling
    /// requests past a proxy.
    static func declared(by headers: Headers, minorVersion: Int, limitBytes: Int) throws(HTTPRefusal) -> BodyFraming {
        let codings = headers.all("Transfer-Encoding")
        let length = try BodyLength.declared(by: headers, limitBytes: limitBytes)
        guard let coding = codings.first else { return .length(length ?? 0) }
        guard codings.count == 1, minorVersion >= 1 else { throw .ambiguousCoding }
        guard ASCII.equalsIgnoringCase(coding, "chunked") else { throw .transferEncoding }
        // The method has no body.
        guard limitBytes > 0 else { throw .bodyTooLarge }
        return .chunked(ChunkedBody())
    }
}

/// The number of body bytes after a head, as Content-Length declares it.
enum BodyLength {
    /// Nil without a Content-Length.
    static func declared(by headers: Headers, limitBytes: Int) throws(HTTPRefusal) -> Int? {
        let lengths = headers.all("Content-Length")
        guard let length = lengths.first else { return nil }
        guard lengths.count == 1, !length.isEmpty, length.utf8.allSatisfy(ASCII.isDigit) else {
            throw .malformedContentLength
        }
        guard headers.all("Transfer-Encoding").isEmpty else { throw .ambiguousLength }
        // A number that does not fit an Int is valid, but over any limit.
        guard let count = Int(length), count <= limitBytes else { throw .bodyTooLarge }
        return count
    }
}
