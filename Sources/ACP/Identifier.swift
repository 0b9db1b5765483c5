extension ACP {
    /// An id: a string that its maker alone reads. Others compare it and send it back.
    public protocol Identifier: RawRepresentable, Hashable, Codable, Sendable, ExpressibleByStringLiteral,
        CustomStringConvertible
    where RawValue == String {
        init(rawValue: String)
    }
}

extension ACP.Identifier {
    public init(_ string: some StringProtocol) { self.init(rawValue: String(string)) }

    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The string itself.
    public var description: String { rawValue }
}
