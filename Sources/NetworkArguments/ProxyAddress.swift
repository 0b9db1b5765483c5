import ArgumentParsing

/// The address of a proxy, or a network of proxies: `10.0.0.5`, `10.0.0.0/8`, `fd00::/8`.
package struct ProxyAddress: Equatable, Sendable, CustomStringConvertible {
    package let description: String
}

extension ProxyAddress: ArgumentValue {
    package static let expectation = "an IP address or a network, such as 127.0.0.1, 10.0.0.0/8 or fd00::/8"

    /// Checks the characters and the length of the prefix. The bridge checks the address itself.
    package init?(argument: String) {
        let parts = argument.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let isV6 = parts[0].contains(":")
        let letters = isV6 ? "0123456789abcdefABCDEF:." : "0123456789."
        guard !parts[0].isEmpty, parts[0].utf8.count <= 45, parts[0].utf8.allSatisfy(letters.utf8.contains),
            isV6 || parts[0].split(separator: ".").count == 4
        else { return nil }
        if parts.count == 2 {
            guard let bits = UInt8(digits: parts[1]), bits <= (isV6 ? 128 : 32) else { return nil }
        }
        description = argument
    }
}
