import JSONCoding

extension ACP {
    /// The fill level of the context, and the cost of the session. Schema: `UsageUpdate`.
    public struct UsageUpdate: Object {
        /// The number of tokens in the context.
        public var used: UInt64
        /// The size of the context, in tokens.
        public var size: UInt64
        /// The cost of the session so far.
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
        /// The amount, in units of `currency`.
        public var amount: Double
        /// The currency, as three letters of ISO 4217: `USD`.
        public var currency: String
        public var otherMembers: OtherMembers

        public init(amount: Double, currency: String, meta: RawJSON? = nil) {
            self.amount = amount
            self.currency = currency
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
