import CCurl

/// Gets one small document with libcurl. Blocks its thread.
package enum HTTPGet {
    package struct Answer: Sendable, Equatable {
        /// The HTTP status; 0 if there was no complete answer.
        package let status: Int
        /// The reason why there was no complete answer.
        package let failure: String
        package let body: [UInt8]
        /// The field `Cache-Control`; empty if the answer has none.
        package let cacheControl: String

        package init(status: Int, failure: String = "", body: [UInt8] = [], cacheControl: String = "") {
            self.status = status
            self.failure = failure
            self.body = body
            self.cacheControl = cacheControl
        }
    }

    /// For everything: the name lookup, TLS, the request and the answer.
    private static let timeoutMilliseconds = 10_000
    /// With the closing zero. Real fields have less than 100 bytes.
    private static let cacheControlBytes = 512

    /// No redirect is followed.
    ///
    /// - Parameters:
    ///   - accept: the field `Accept`.
    ///   - limitBytes: a longer body counts as no answer.
    package static func fetch(_ url: String, accept: String, limitBytes: Int) -> Answer {
        var failure = [CChar](repeating: 0, count: 512)
        var cacheControl = [CChar](repeating: 0, count: cacheControlBytes)
        var (status, bodyBytes) = (0, 0)
        let body = [UInt8](unsafeUninitializedCapacity: limitBytes) { buffer, count in
            cacheControl.withUnsafeMutableBufferPointer { control in
                (status, bodyBytes) = get(url, "Accept: \(accept)", into: buffer, control, &failure)
            }
            count = bodyBytes
        }
        return Answer(
            status: status, failure: text(failure), body: status == 0 ? [] : body, cacheControl: text(cacheControl))
    }

    private static func get(
        _ url: String, _ field: String, into body: UnsafeMutableBufferPointer<UInt8>,
        _ cacheControl: UnsafeMutableBufferPointer<CChar>, _ failure: inout [CChar]
    ) -> (status: Int, bodyBytes: Int) {
        url.withCString { url in
            field.withCString { field in
                var get = ccurl_get(
                    url: url, field: field, timeout_milliseconds: timeoutMilliseconds, body: body.baseAddress,
                    body_limit_bytes: body.count, body_bytes: 0, cache_control: cacheControl.baseAddress,
                    cache_control_bytes: cacheControl.count)
                let status = ccurl_perform_get(&get, &failure, failure.count)
                return (Int(status), get.body_bytes)
            }
        }
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
