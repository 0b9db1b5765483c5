import JSONCoding

extension ACP {
    /// Unstable. How many tokens were used. Schema: `Usage`.
    public struct Usage: Object {
        /// All kinds together.
        public var totalTokens: UInt64
        /// What the model read.
        public var inputTokens: UInt64
        /// What the model wrote.
        public var outputTokens: UInt64
        /// What it wrote to think.
        @Lenient public var thoughtTokens: UInt64?
        /// What was read from a cache.
        @Lenient public var cachedReadTokens: UInt64?
        /// What was written to a cache.
        @Lenient public var cachedWriteTokens: UInt64?
        public var otherMembers: OtherMembers

        public init(
            totalTokens: UInt64, inputTokens: UInt64, outputTokens: UInt64, thoughtTokens: UInt64? = nil,
            cachedReadTokens: UInt64? = nil, cachedWriteTokens: UInt64? = nil, meta: RawJSON? = nil
        ) {
            self.totalTokens = totalTokens
            self.inputTokens = inputTokens
            self.outputTokens = outputTokens
            self.thoughtTokens = thoughtTokens
            self.cachedReadTokens = cachedReadTokens
            self.cachedWriteTokens = cachedWriteTokens
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
