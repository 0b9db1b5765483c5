import HTTPTokens

/// A response's status line and header fields.
package struct ResponseHead: Sendable, Equatable {
    package var status: Int
    package var headers: Headers

    package init(status: Int, headers: Headers = Headers()) {
        self.status = status
        self.headers = headers
    }

    /// The head as bytes, including its empty line. No field is added.
    ///
    /// Control characters in a value become spaces, so that no value can forge a line (RFC 9110, section 5.5). A field
    /// is left out if its name is not a token.
    package func bytes() -> [UInt8] {
        var bytes = Array("HTTP/1.1 \(status) \(Self.reasonPhrase(for: status))\r\n".utf8)
        for field in headers.fields where HTTPToken.isValid(field.name.utf8) {
            bytes += Array("\(field.name): ".utf8)
            bytes += field.value.utf8.map { ASCII.isForbiddenControl($0) ? ASCII.space : $0 }
            bytes += [ASCII.carriageReturn, ASCII.lineFeed]
        }
        return bytes + [ASCII.carriageReturn, ASCII.lineFeed]
    }

    /// Source: RFC 9110, section 15. Empty for a status without a name, which is allowed.
    private static func reasonPhrase(for status: Int) -> String {
        reasonPhrases[status] ?? ""
    }

    private static let reasonPhrases = [
        100: "Continue", 101: "Switching Protocols", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content",
        301: "Moved Permanently", 302: "Found", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
        413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 426: "Upgrade Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
        502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    ]
}

/// A whole response.
package struct Response: Sendable, Equatable {
    package var status: Int
    package var headers: Headers
    package var body: [UInt8]

    package init(status: Int, headers: Headers = Headers(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Plain text that ends in a newline.
    package static func text(_ text: String, status: Int) -> Response {
        let headers = Headers([(name: "Content-Type", value: "text/plain; charset=utf-8")])
        return Response(status: status, headers: headers, body: Array("\(text)\n".utf8))
    }

    /// The response as bytes. Content-Length and Connection are always set here and replace those in the headers.
    ///
    /// The response to HEAD omits the body and keeps its length.
    ///
    /// - Parameters:
    ///   - bodyBytes: The length of the whole body, if `body` is only its beginning.
    ///   - keepingConnection: The server waits for the next request after this response. Otherwise it has `Connection: close`.
    package func bytes(
        omittingBody: Bool = false, bodyBytes: Int? = nil, keepingConnection: Bool = false
    ) -> [UInt8] {
        var head = ResponseHead(status: status)
        for field in headers.fields where !Self.isFraming(field.name) { head.headers.append(field.name, field.value) }
        // These two have no body and must not declare one. Source: RFC 9110, section 8.6.
        let hasBody = status != 204 && status != 304
        if hasBody { head.headers.append("Content-Length", String(bodyBytes ?? body.count)) }
        // A connection of HTTP/1.1 is kept unless the response ends it. Source: RFC 9112, section 9.3.
        if !keepingConnection { head.headers.append("Connection", "close") }
        return hasBody && !omittingBody ? head.bytes() + body : head.bytes()
    }

    private static func isFraming(_ name: String) -> Bool {
        ["Content-Length", "Transfer-Encoding", "Connection"].contains { ASCII.equalsIgnoringCase($0, name) }
    }
}
