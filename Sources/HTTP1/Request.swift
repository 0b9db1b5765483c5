/// A request's first line and header fields, checked as described in ``RequestParser``.
public struct RequestHead: Sendable, Equatable {
    /// One of GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS.
    public let method: String
    /// The target in origin form, unchanged: `/acp?session=7`.
    public let target: String
    /// 1 for HTTP/1.1, 0 for HTTP/1.0.
    public let minorVersion: Int
    public let headers: Headers

    public init(method: String, target: String, minorVersion: Int = 1, headers: Headers = Headers()) {
        self.method = method
        self.target = target
        self.minorVersion = minorVersion
        self.headers = headers
    }

    /// The target before its first `?`. Percent-encoding is not decoded.
    public var path: String {
        String(target.prefix { $0 != "?" })
    }

    /// The target after its first `?`, or nil when there is none. Percent-encoding is not decoded.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }
}

/// A whole request.
public struct Request: Sendable, Equatable {
    public let head: RequestHead
    public let body: [UInt8]

    public init(head: RequestHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }
}
