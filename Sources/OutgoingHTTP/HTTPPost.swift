import CCurl

/// Sends one request with libcurl. Blocks its thread.
package enum HTTPPost {
    package struct Answer: Sendable {
        /// The HTTP status; 0 if there was no answer.
        package let status: Int
        /// The reason why there was no answer.
        package let failure: String
        /// The first 1,023 bytes of the answer's body, as text.
        package var beginning = ""
        /// Seconds; 0 if the answer does not have the field.
        package var retryAfterSeconds = 0
    }

    /// With the closing zero. The reasons that servers give have less than 100 bytes.
    private static let beginningBytes = 1024

    /// For everything: the name lookup, TLS, the request and the answer.
    private static let timeoutMilliseconds = 10_000

    /// - Parameters:
    ///   - fields: `name: value`, without line ends.
    ///   - authorities: a file of certificates to trust instead of the system's.
    ///   - isPublicOnly: The server's address must not be private, because the URL came from a client.
    ///   - usesHTTP2: HTTP/2, also for a URL with `http`. A connection with TLS stays open for a later request.
    package static func send(
        _ body: [UInt8], to url: String, fields: [String], authorities: String? = nil, isPublicOnly: Bool = false,
        usesHTTP2: Bool = false
    ) -> Answer {
        var failure = [CChar](repeating: 0, count: 512)
        var beginning = [CChar](repeating: 0, count: beginningBytes)
        var retryAfterSeconds = 0
        let texts = [url] + (authorities.map { [$0] } ?? [])
        let status = withTexts(texts) { texts in
            withTexts(fields) { fields in
                body.withUnsafeBytes { body in
                    beginning.withUnsafeMutableBufferPointer { beginning in
                        var post = ccurl_post(
                            url: texts[0], fields: fields.baseAddress, field_count: fields.count,
                            body: body.baseAddress, body_bytes: body.count, timeout_milliseconds: timeoutMilliseconds,
                            authorities: texts.count > 1 ? texts[1] : nil, public_only: isPublicOnly,
                            uses_http2: usesHTTP2, answer: beginning.baseAddress, answer_bytes: beginning.count,
                            retry_after_seconds: 0)
                        let status = ccurl_perform_post(&post, &failure, failure.count)
                        retryAfterSeconds = post.retry_after_seconds
                        return Int(status)
                    }
                }
            }
        }
        return Answer(
            status: status, failure: text(failure), beginning: text(beginning), retryAfterSeconds: retryAfterSeconds)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func withTexts<Result>(
        _ texts: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = texts.map { Array($0.utf8CString) }
        func collect(_ index: Int, _ pointers: [UnsafePointer<CChar>?]) -> Result {
            guard index < copies.count else { return pointers.withUnsafeBufferPointer(body) }
            return copies[index].withUnsafeBufferPointer { collect(index + 1, pointers + [$0.baseAddress]) }
        }
        return collect(0, [])
    }
}
