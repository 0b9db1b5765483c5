import ArgumentParsing

/// The address under which others reach a bridge through a proxy: `https://bridge.example/base`.
///
/// Scheme and host are in lower case. A default port and slashes at the end are removed.
package struct PublicURL: Equatable, Sendable {
    /// The scheme, the host, and the port unless it is the scheme's default: `https://bridge.example`.
    package let origin: String
    /// The host without a port and brackets.
    package let host: String
    /// `/base`; empty for the root.
    package let path: String
}

extension PublicURL: CustomStringConvertible {
    package var description: String { origin + path }
}

extension PublicURL: ArgumentValue {
    package static let expectation =
        "an http or https URL without a user, query or fragment, such as https://bridge.example/base"

    /// Longer than any useful address. The URL is part of links and QR codes.
    private static let limitBytes = 512

    package init?(argument: String) {
        guard argument.utf8.count <= Self.limitBytes,
            let scheme = ["https", "http"].first(where: { argument.lowercased().hasPrefix($0 + "://") })
        else { return nil }
        let rest = argument.dropFirst(scheme.count + "://".count)
        let authority = rest.prefix { $0 != "/" }
        guard let (host, port) = Self.hostAndPort(authority), let path = Self.path(rest[authority.endIndex...]) else {
            return nil
        }
        let isStandard = port == nil || port == (scheme == "https" ? 443 : 80)
        let name = authority.hasPrefix("[") ? "[\(host)]" : host
        origin = "\(scheme)://\(name)" + (isStandard ? "" : port.map { ":\($0)" } ?? "")
        self.host = host
        self.path = path
    }

    private static func hostAndPort(_ authority: Substring) -> (host: String, port: UInt16?)? {
        let isBracketed = authority.hasPrefix("[")
        let end =
            isBracketed ? authority.firstIndex(of: "]").map(authority.index(after:)) : authority.firstIndex(of: ":")
        let written = authority[..<(end ?? authority.endIndex)]
        guard !isBracketed || end != nil, let host = HostName(argument: String(written)) else { return nil }
        let suffix = authority[written.endIndex...]
        if suffix.isEmpty { return (host.description, nil) }
        guard suffix.first == ":", let port = UInt16(digits: suffix.dropFirst()), port > 0 else { return nil }
        return (host.description, port)
    }

    /// Returns the path without slashes at its end; nil for a path that two readers could read differently.
    private static func path(_ text: Substring) -> String? {
        var text = text
        while text.last == "/" { text = text.dropLast() }
        if text.isEmpty { return "" }
        let segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = segments.allSatisfy { segment in
            !segment.isEmpty && segment != "." && segment != ".." && segment.utf8.allSatisfy(isUnreserved)
        }
        return isPlain ? String(text) : nil
    }

    /// The characters that are never percent-encoded. Source: RFC 3986, section 2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "-._~".utf8.contains(byte)
    }
}
