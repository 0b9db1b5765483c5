import HTTP1

/// The header fields of every response to one request. Pure.
struct AnswerFields: Sendable {
    /// The value of `X-Request-ID`: the client's own id for the request, or a generated one.
    let requestId: String
    /// The origin of the page that sent the request, if that origin is allowed.
    private let origin: String?
    private let isJSON: Bool

    private static let requestIdLimitBytes = 128

    /// - Parameters:
    ///   - allowedOrigins: In lower case.
    ///   - freshId: Used if the request has no id, or an id that is not a plain word.
    init(_ head: RequestHead, allowedOrigins: Set<String>, freshId: @autoclosure () -> String) {
        let ids = head.headers.all("X-Request-ID")
        if ids.count == 1, Self.isPlain(ids[0]) { requestId = ids[0] } else { requestId = freshId() }
        let origins = head.headers.all("Origin")
        origin = origins.count == 1 && allowedOrigins.contains(origins[0].lowercased()) ? origins[0] : nil
        isJSON = Route.speaksJSON(head)
    }

    /// The fields of an answer to a request without a readable head.
    init(requestId: String) {
        self.requestId = requestId
        origin = nil
        isJSON = false
    }

    private static func isPlain(_ id: String) -> Bool {
        (1...requestIdLimitBytes).contains(id.utf8.count) && id.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }

    /// Returns the response with these fields added.
    func completing(_ response: Response) -> Response {
        var response = response
        response.headers.append("X-Request-ID", requestId)
        response.headers.append("X-Content-Type-Options", "nosniff")
        response.headers.append("Referrer-Policy", "no-referrer")
        response.headers.append("Cross-Origin-Resource-Policy", "same-origin")
        if response.headers.first("Content-Security-Policy") == nil {
            // No answer other than the page is a document. A browser that shows one runs and loads nothing.
            response.headers.append("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
        }
        if response.headers.first("Cache-Control") == nil { response.headers.append("Cache-Control", "no-store") }
        guard let origin else { return response }
        response.headers.append("Access-Control-Allow-Origin", origin)
        response.headers.append("Access-Control-Expose-Headers", "X-Request-ID, Retry-After, ETag")
        response.headers.append("Vary", "Origin")
        return response
    }

    /// Returns an error in the format of the route: `{"error":"…"}`, or a line of text.
    func error(_ status: Int, _ reason: String) -> Response {
        isJSON ? .error(status, reason) : .text(reason, status: status)
    }

    // MARK: Preflight requests

    /// Returns the response to a page's preflight request; nil if the request is not one. Source: Fetch, section 3.2.
    func preflight(_ head: RequestHead, _ route: Route) -> Response? {
        guard head.method == "OPTIONS", origin != nil, head.headers.first("Access-Control-Request-Method") != nil else {
            return nil
        }
        var headers = Headers([
            ("Access-Control-Allow-Methods", route.methods.joined(separator: ", ")),
            // The last three are fields that clients of edge functions send with each request. The bridge ignores them.
            (
                "Access-Control-Allow-Headers",
                "Authorization, Content-Type, X-Request-ID, If-None-Match, apikey, x-client-info, x-tenant-id"
            ),
            // The number of seconds after which a browser sends the preflight request again.
            ("Access-Control-Max-Age", "600"),
        ])
        if head.headers.first("Access-Control-Request-Private-Network") == "true" {
            headers.append("Access-Control-Allow-Private-Network", "true")
        }
        return Response(status: 204, headers: headers)
    }
}
