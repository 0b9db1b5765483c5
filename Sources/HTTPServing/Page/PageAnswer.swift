import Access
import HTTP1
import Page

/// Answers requests for the files of the page. Pure.
enum PageAnswer {
    /// - Parameters:
    ///   - head: a request with GET or HEAD. Its `Host` is a name of the bridge.
    ///   - usesTLS: the TCP listeners use TLS.
    ///   - publicAddress: the address at the proxy in front of the bridge.
    static func response(
        to head: RequestHead, _ file: PageFile, usesTLS: Bool, publicAddress: PublicAddress? = nil
    ) -> Response {
        var headers = Headers([
            ("ETag", etag(of: file)), ("Cache-Control", "no-cache"),
            ("Content-Security-Policy", policy(for: head, usesTLS: usesTLS, publicAddress)),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
        ])
        if file.gzip != nil { headers.append("Vary", "Accept-Encoding") }
        guard !head.hasRepresentation(file.etag) else { return Response(status: 304, headers: headers) }
        headers.append("Content-Type", file.contentType)
        guard let gzip = file.gzip, acceptsGzip(head) else {
            return Response(status: 200, headers: headers, body: file.bytes)
        }
        headers.append("Content-Encoding", "gzip")
        return Response(status: 200, headers: headers, body: gzip)
    }

    // MARK: Caching

    /// Weak for a file with two encodings, because a strong tag would promise the same bytes. Source: RFC 9110, section
    /// 8.8.3.3.
    private static func etag(of file: PageFile) -> String { file.gzip == nil ? file.etag : "W/" + file.etag }

    /// Source: RFC 9110, section 12.5.3. The weight is only compared with zero.
    private static func acceptsGzip(_ head: RequestHead) -> Bool {
        head.headers.tokens("Accept-Encoding").contains { element in
            let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let name = parts.first, name == "gzip" || name == "x-gzip" else { return false }
            return !parts.dropFirst().contains {
                $0.hasPrefix("q=0") && $0.dropFirst(3).allSatisfy { "0.".contains($0) }
            }
        }
    }

    // MARK: Security policy

    /// The page's policy, and the addresses of its WebSockets: older Safari does not count them as `'self'`.
    private static func policy(for head: RequestHead, usesTLS: Bool, _ publicAddress: PublicAddress?) -> String {
        let policy = Page.contentSecurityPolicy
        guard let host = head.headers.first("Host"), isPlain(host) else { return policy }
        // A page that was loaded through a proxy with TLS uses wss:// on a bridge without TLS, too.
        var sockets = usesTLS ? "wss://\(host)" : "ws://\(host) wss://\(host)"
        // A proxy can send a `Host` of its own.
        if let publicAddress, publicAddress.authority != host.lowercased() {
            sockets += publicAddress.usesTLS ? " wss://" : " ws://"
            sockets += publicAddress.authority
        }
        return policy.split(separator: ";", omittingEmptySubsequences: false).map { directive in
            directive.drop { $0 == " " }.hasPrefix("connect-src ") ? "\(directive) \(sockets)" : String(directive)
        }.joined(separator: ";")
    }

    /// A host with other characters could add a directive.
    private static func isPlain(_ host: String) -> Bool {
        host.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || ".-:[]".utf8.contains(byte)
        }
    }
}
