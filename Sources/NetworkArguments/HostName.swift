import ArgumentParsing

/// A host name as clients send it in the `Host` header, without a port: `bridge.example` or `10.0.0.5`.
package struct HostName: Equatable, Sendable, CustomStringConvertible {
    /// The name in lower case; an IPv6 address has no brackets.
    package let description: String
}

extension HostName: ArgumentValue {
    package static let expectation = "a host name or address without a port, such as bridge.example"

    package init?(argument: String) {
        let inner = argument.hasPrefix("[") && argument.hasSuffix("]") ? argument.dropFirst().dropLast() : argument[...]
        let isBracketed = inner.utf8.count != argument.utf8.count
        let others = isBracketed ? ":.".utf8 : "-._".utf8
        guard !inner.isEmpty, inner.utf8.allSatisfy({ Self.isAlphanumeric($0) || others.contains($0) }) else {
            return nil
        }
        description = inner.lowercased()
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
