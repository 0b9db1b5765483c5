import HTTP1

/// Entity tags for the answers of programs that poll: an unchanged value is not sent again. Pure.
enum Revalidation {
    /// Returns a successful answer with its `ETag`, or 304 without a body if the client has the same bytes. All other
    /// answers are unchanged.
    ///
    /// Only GET and HEAD have conditional answers: for other methods, a matching `If-None-Match` would be an error.
    /// Source: RFC 9110, sections 13.1.2 and 15.4.5.
    static func applied(to response: Response, of head: RequestHead) -> Response {
        guard response.status == 200, head.method == "GET" || head.method == "HEAD" else { return response }
        let tag = etag(of: response.body)
        var response = response
        response.headers.append("ETag", tag)
        guard head.hasRepresentation(tag) else { return response }
        return Response(status: 304, headers: Headers([("ETag", tag)]))
    }

    /// Swift's hash has a random key in each process. An agent can therefore not choose texts with equal tags, and
    /// all values are sent again after a restart.
    private static func etag(of body: [UInt8]) -> String {
        var hasher = Hasher()
        body.withUnsafeBytes { hasher.combine(bytes: $0) }
        let digits = String(UInt(bitPattern: hasher.finalize()), radix: 16)
        return "\"\(digits)-\(String(body.count, radix: 16))\""
    }
}
