extension ACP {
    /// An opaque id: a string that only its creator interprets. Other peers compare it and send it back.
    public protocol Identifier: RawRepresentable, Hashable, Codable, Sendable, ExpressibleByStringLiteral,
        CustomStringConvertible
    where RawValue == String {
        init(rawValue: String)
    }
}

extension ACP.Identifier {
    public init(_ string: some StringProtocol) { self.init(rawValue: String(string)) }

    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The raw string.
    public var description: String { rawValue }
}
