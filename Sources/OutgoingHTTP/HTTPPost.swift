import CCurl

/// Sends one request with libcurl. Blocks its thread.
package enum HTTPPost {
    package struct Answer: Sendable {
        /// The HTTP status; 0 if there was no answer.
        package let status: Int
        /// The reason why there was no answer.
        package let failure: String
    }

    /// For everything: the name lookup, TLS, the request and the answer.
    private static let timeoutMilliseconds = 10_000

    /// - Parameters:
    ///   - fields: `name: value`, without line ends.
    ///   - isPublicOnly: The server's address must not be private, because the URL came from a client.
    package static func send(
        _ body: [UInt8], to url: String, fields: [String], isPublicOnly: Bool = false
    ) -> Answer {
        var failure = [CChar](repeating: 0, count: 512)
        let status = withFields(fields) { fields in
            url.withCString { url in
                body.withUnsafeBytes { body in
                    var post = ccurl_post(
                        url: url, fields: fields.baseAddress, field_count: fields.count, body: body.baseAddress,
                        body_bytes: body.count, timeout_milliseconds: timeoutMilliseconds,
                        public_only: isPublicOnly)
                    return Int(ccurl_perform_post(&post, &failure, failure.count))
                }
            }
        }
        let text = failure.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return Answer(status: status, failure: String(decoding: text, as: UTF8.self))
    }

    private static func withFields<Result>(
        _ fields: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = fields.map { Array($0.utf8CString) }
        func collect(_ index: Int, _ pointers: [UnsafePointer<CChar>?]) -> Result {
            guard index < copies.count else { return pointers.withUnsafeBufferPointer(body) }
            return copies[index].withUnsafeBufferPointer { collect(index + 1, pointers + [$0.baseAddress]) }
        }
        return collect(0, [])
    }
}
