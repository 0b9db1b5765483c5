/// The number of body bytes after a head. Source: RFC 9112, section 6. Only Content-Length is supported, because two
/// ways to declare a length allow smuggling requests past a proxy.
enum BodyLength {
    /// Nil without a Content-Length.
    static func declared(by headers: Headers, limitBytes: Int) throws(HTTPRefusal) -> Int? {
        let lengths = headers.all("Content-Length")
        if !headers.all("Transfer-Encoding").isEmpty {
            throw lengths.isEmpty ? .transferEncoding : .ambiguousLength
        }
        guard let length = lengths.first else { return nil }
        guard lengths.count == 1, !length.isEmpty, length.utf8.allSatisfy(ASCII.isDigit) else {
            throw .malformedContentLength
        }
        // A number that does not fit an Int is valid, but over any limit.
        guard let count = Int(length), count <= limitBytes else { throw .bodyTooLarge }
        return count
    }
}
