import ArgumentParsing

/// A TCP address to listen on: `127.0.0.1:7717`, `[::1]:0`, `localhost:7717`, or `:0` for `127.0.0.1:0`.
package struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
    /// A name, an IPv4 address, or an IPv6 address without its brackets.
    package var host: String
    /// The port; 0 selects a free one.
    package var port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// `HOST:PORT` in the form of the command line.
    package var description: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension ListenAddress: ArgumentValue {
    package static let expectation =
        "HOST:PORT with a port from 0 to 65535, such as 127.0.0.1:7717, localhost:7717, [::1]:7717 or :0"

    package init?(argument: String) {
        guard let colon = argument.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = UInt16(digits: argument[argument.utf8.index(after: colon)...]),
            let host = Self.host(written: argument[..<colon])
        else { return nil }
        self.init(host: host, port: port)
    }

    private static func host(written text: Substring) -> String? {
        if text.isEmpty { return "127.0.0.1" }
        if text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]"), text.utf8.count > 2 {
            let inner = text.dropFirst().dropLast()
            return looksLikeIPv6(inner) ? String(inner) : nil
        }
        return isIPv4(text) || isHostName(text) ? String(text) : nil
    }

    /// Checks only the characters and that there are two colons. `bind` reports whether this machine has the
    /// address.
    private static func looksLikeIPv6(_ text: Substring) -> Bool {
        let address = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)[0]
        return address.utf8.count { $0 == UInt8(ascii: ":") } >= 2
            && address.utf8.allSatisfy { $0.isHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Rejects leading zeros, because C libraries read `010` as 8.
    private static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy {
                UInt8(digits: $0) != nil && ($0.utf8.count == 1 || $0.utf8.first != UInt8(ascii: "0"))
            }
    }

    /// The last label of a name must contain a letter, so that a mistyped IPv4 address is not looked up as a name.
    private static func isHostName(_ text: Substring) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0.isNameByte } }
            && labels[labels.count - 1].utf8.contains { $0.isLetter }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    fileprivate var isHexDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }
    fileprivate var isNameByte: Bool {
        isDigit || isLetter || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }
}
