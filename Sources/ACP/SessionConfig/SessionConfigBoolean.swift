import JSONCoding

extension ACP {
    /// A switch. Only for clients that take such options. Schema: `SessionConfigBoolean`.
    public struct SessionConfigBoolean: Codable, Hashable, Sendable {
        /// True when it is on.
        public var currentValue: Bool

        public init(currentValue: Bool) {
            self.currentValue = currentValue
        }
    }
}
