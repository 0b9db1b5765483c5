import HTTPTokens

/// `GET /acp HTTP/1.1`. Source: RFC 9112, section 3.
struct RequestLine: StartLine, Equatable {
    let method: String
    let target: String
    let minorVersion: Int

    init(parsing line: ArraySlice<UInt8>) throws(HTTPRefusal) {
        let parts = line.split(separator: ASCII.space, omittingEmptySubsequences: false)
        // HTTP/0.9 has no version: `GET /`.
        if parts.count == 2, parts[1].first == UInt8(ascii: "/") { throw .version }
        guard parts.count == 3, HTTPToken.isValid(parts[0]) else { throw .malformedRequestLine }
        minorVersion = try Self.minorVersion(parts[2])
        method = try Self.method(parts[0])
        target = try Self.target(parts[1])
    }

    private static func minorVersion(_ bytes: ArraySlice<UInt8>) throws(HTTPRefusal) -> Int {
        if bytes.elementsEqual("HTTP/1.1".utf8) { return 1 }
        if bytes.elementsEqual("HTTP/1.0".utf8) { return 0 }
        let digits = bytes.dropFirst(5)
        let isVersion =
            bytes.starts(with: "HTTP/".utf8) && !digits.isEmpty
            && digits.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
        throw isVersion ? .version : .malformedRequestLine
    }

    private static func method(_ bytes: ArraySlice<UInt8>) throws(HTTPRefusal) -> String {
        let method = String(decoding: bytes, as: UTF8.self)
        switch method {
        case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS": return method
        default: throw .methodNotImplemented
        }
    }

    /// Accepts the origin form only. The absolute form is for proxies, the authority form is for CONNECT, and `*` asks
    /// for information that this server does not have.
    private static func target(_ bytes: ArraySlice<UInt8>) throws(HTTPRefusal) -> String {
        let isAllowed = bytes.allSatisfy { ASCII.isVisible($0) && $0 != UInt8(ascii: "#") }
        guard bytes.first == UInt8(ascii: "/"), isAllowed else { throw .malformedTarget }
        return String(decoding: bytes, as: UTF8.self)
    }
}
