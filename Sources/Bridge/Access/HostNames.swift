/// The names a bridge answers to over TCP: loopback's own, and those it was given.
///
/// Under another name a web page could reach a loopback address through a DNS answer of its own making, and then be of
/// the same origin as the bridge.
struct HostNames: Sendable {
    /// In lower case, without a port.
    private let configured: Set<String>

    init(_ configured: some Sequence<String> = []) { self.configured = Set(configured.map { $0.lowercased() }) }

    /// - Parameter field: the value of a `Host` field; its port is not looked at, since `ssh -L` gives it any.
    func include(_ field: String) -> Bool {
        guard let name = Self.name(field)?.lowercased() else { return false }
        return name == "localhost" || name.hasSuffix(".localhost") || name == "::1" || Self.isLoopbackIPv4(name)
            || (!name.isEmpty && configured.contains(name))
    }

    /// The part before the port; nil where behind it stands something else than a port.
    private static func name(_ field: String) -> Substring? {
        let isBracketed = field.hasPrefix("[")
        let name = isBracketed ? field.prefix { $0 != "]" }.dropFirst() : field.prefix { $0 != ":" }
        let rest = field[name.endIndex...].dropFirst(isBracketed ? 1 : 0)
        guard rest.isEmpty || rest.first == ":" && rest.dropFirst().allSatisfy(\.isNumber) else { return nil }
        return name
    }

    private static func isLoopbackIPv4(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
