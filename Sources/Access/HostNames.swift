/// The host names that a bridge accepts over TCP: the names of loopback and the configured names.
///
/// Other names are refused because of DNS rebinding: a web page could resolve its own name to a loopback address, and
/// would then have the same origin as the bridge.
package struct HostNames: Sendable {
    /// In lower case, without a port.
    private let configured: Set<String>

    package init(_ configured: Set<String> = []) { self.configured = Set(configured.map { $0.lowercased() }) }

    /// - Parameter field: the value of a `Host` field. Its port is not checked, because `ssh -L` can forward any port.
    func include(_ field: String) -> Bool {
        guard let name = Self.name(field)?.lowercased() else { return false }
        return name == "localhost" || name.hasSuffix(".localhost") || name == "::1" || Self.isLoopbackIPv4(name)
            || (!name.isEmpty && configured.contains(name))
    }

    /// Returns the part before the port, or nil if the name is followed by anything other than a port.
    private static func name(_ field: String) -> Substring? {
        let isBracketed = field.hasPrefix("[")
        let name = isBracketed ? field.prefix { $0 != "]" }.dropFirst() : field.prefix { $0 != ":" }
        let rest = field[name.endIndex...].dropFirst(isBracketed ? 1 : 0)
        guard rest.isEmpty || rest.first == ":" && rest.dropFirst().allSatisfy(\.isNumber) else { return nil }
        return name
    }

    private static func isLoopbackIPv4(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { UInt8($0) != nil && $0.first?.isNumber == true }
    }
}
