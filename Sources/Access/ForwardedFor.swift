import EventLoop

/// Finds a client's address behind reverse proxies in `X-Forwarded-For`. Pure.
///
/// Each proxy appends the address of its own peer, so an element counts only if a trusted proxy appended it: the
/// elements are read from the right, as long as the address to the right of an element is a trusted proxy's. The first
/// address that is not a trusted proxy's is the client's. Anything to its left can be invented by the client.
package struct ForwardedFor: Sendable {
    /// The proxies that append to the field, instead of passing on what a client has written.
    private let trusted: [NetworkRange]

    /// The name of the field. There is no standard for it; the field of RFC 7239 is `Forwarded`, and is not read.
    package static let fieldName = "X-Forwarded-For"

    package init(trusted: [NetworkRange] = []) { self.trusted = trusted }

    package func trusts(_ address: NetworkAddress) -> Bool { trusted.contains { $0.contains(address) } }

    /// - Parameters:
    ///   - values: the values of the field, in the order of the request.
    ///   - peer: the peer of the TCP connection.
    /// - Returns: the client's address. An element that is not an address, such as `unknown`, ends the search: the
    ///   client is then counted as the proxy that appended the element.
    package func client(_ values: [String], from peer: NetworkAddress) -> NetworkAddress {
        var client = peer
        for value in values.reversed() {
            for element in value.split(separator: ",", omittingEmptySubsequences: false).reversed() {
                guard trusts(client), let address = Self.address(element) else { return client }
                client = address
            }
        }
        return client
    }

    /// Reads `192.0.2.1`, `2001:db8::1` or `[2001:db8::1]`, each of the first and the last also with a port.
    private static func address(_ element: Substring) -> NetworkAddress? {
        var text = element.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text = text.dropLast() }
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
            let inner = text[text.index(after: text.startIndex)..<end]
            return inner.contains(":") ? NetworkAddress(String(inner)) : nil
        }
        // Two colons begin an IPv6 address, which without brackets has no port.
        if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
            return isPort(text[colon...]) ? NetworkAddress(String(text[..<colon])) : nil
        }
        return NetworkAddress(String(text))
    }

    /// Returns whether the text is empty, or a colon and a port.
    private static func isPort(_ text: Substring) -> Bool {
        guard let first = text.first else { return true }
        let digits = text.dropFirst()
        return first == ":" && !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && UInt16(digits) != nil
    }
}
