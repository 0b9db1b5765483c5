import JSONCoding

extension ACP {
    /// A Boolean option. Only for clients that accept options of type `boolean`. Schema: `SessionConfigBoolean`.
    public struct SessionConfigBoolean: Codable, Hashable, Sendable {
        /// The current value.
        public var currentValue: Bool

        public init(currentValue: Bool) {
            self.currentValue = currentValue
        }
    }
}
