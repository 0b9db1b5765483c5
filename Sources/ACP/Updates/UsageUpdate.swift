import JSONCoding

extension ACP {
    /// How full the context is, and what the session has cost. Schema: `UsageUpdate`.
    public struct UsageUpdate: Object {
        /// Tokens in the context.
        public var used: UInt64
        /// Tokens that have room in it.
        public var size: UInt64
        /// Of the whole session so far.
        @Lenient public var cost: Cost?
        public var otherMembers: OtherMembers

        public init(used: UInt64, size: UInt64, cost: Cost? = nil, meta: RawJSON? = nil) {
            self.used = used
            self.size = size
            self.cost = cost
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// An amount of money. Schema: `Cost`.
    public struct Cost: Object {
        /// In units of `currency`.
        public var amount: Double
        /// Three letters of ISO 4217: `USD`.
        public var currency: String
        public var otherMembers: OtherMembers

        public init(amount: Double, currency: String, meta: RawJSON? = nil) {
            self.amount = amount
            self.currency = currency
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
