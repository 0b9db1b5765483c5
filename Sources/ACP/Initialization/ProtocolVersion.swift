import JSONCoding

extension ACP {
    /// A version of the protocol: a whole number that grows with each breaking change. Schema: `ProtocolVersion`.
    public struct ProtocolVersion: OpenEnum, ExpressibleByIntegerLiteral {
        public let rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        public init(integerLiteral value: UInt16) { self.init(rawValue: value) }

        /// The version that this module implements.
        public static let v1 = Self(rawValue: 1)

        public static let allCases = [v1]
    }
}
