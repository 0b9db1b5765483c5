/// A request's first line and header fields, checked as described in ``RequestParser``.
package struct RequestHead: Sendable, Equatable {
    /// One of GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS.
    package let method: String
    /// The target in origin form, unchanged: `/acp?session=7`.
    package let target: String
    /// 1 for HTTP/1.1, 0 for HTTP/1.0.
    package let minorVersion: Int
    package let headers: Headers

    package init(method: String, target: String, minorVersion: Int = 1, headers: Headers = Headers()) {
        self.method = method
        self.target = target
        self.minorVersion = minorVersion
        self.headers = headers
    }

    /// Whether a body follows, whose length is declared or which comes in chunks.
    package var declaresBody: Bool { headers.first("Content-Length") != nil || isChunked }

    /// Whether the length of the body is known only at its end.
    package var isChunked: Bool { headers.first("Transfer-Encoding") != nil }

    /// True if another request can follow on the connection, after this one was read to its end. Source: RFC 9112, section 9.3.
    ///
    /// False for HTTP/1.0, whose `keep-alive` is not needed by any client that reads Content-Length, and for a request that names
    /// another protocol: if the server does not switch to it, bytes of that protocol may follow, which are no requests.
    package var keepsConnection: Bool {
        minorVersion >= 1 && !headers.contains(token: "close", in: "Connection") && headers.first("Upgrade") == nil
    }

    /// The target before its first `?`. Percent-encoding is not decoded.
    package var path: String {
        String(target.prefix { $0 != "?" })
    }

    /// The target after its first `?`, or nil when there is none. Percent-encoding is not decoded.
    package var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }
}

/// A whole request.
package struct Request: Sendable, Equatable {
    package let head: RequestHead
    package let body: [UInt8]

    package init(head: RequestHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }
}
