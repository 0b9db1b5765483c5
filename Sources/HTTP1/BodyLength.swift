/// How many bytes of body follow a head. Source: RFC 9112, section 6, of which only Content-Length is spoken: two
/// ways to tell a length are how requests are smuggled past a proxy.
enum BodyLength {
    /// Nil when there is no Content-Length.
    static func declared(by headers: Headers, limitBytes: Int) throws(HTTPRefusal) -> Int? {
        let lengths = headers.all("Content-Length")
        if !headers.all("Transfer-Encoding").isEmpty {
            throw lengths.isEmpty ? .transferEncoding : .ambiguousLength
        }
        guard let length = lengths.first else { return nil }
        guard lengths.count == 1, !length.isEmpty, length.utf8.allSatisfy(ASCII.isDigit) else {
            throw .malformedContentLength
        }
        // Digits that do not fit an Int are a number all the same, and over any limit.
        guard let count = Int(length), count <= limitBytes else { throw .bodyTooLarge }
        return count
    }
}
