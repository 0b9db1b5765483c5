import JSONCoding

extension ACP {
    /// Unstable. The number of tokens used. Schema: `Usage`.
    public struct Usage: Object {
        /// All tokens.
        public var totalTokens: UInt64
        /// Tokens that the model read.
        public var inputTokens: UInt64
        /// Tokens that the model wrote.
        public var outputTokens: UInt64
        /// Tokens that the model wrote while thinking.
        @Lenient public var thoughtTokens: UInt64?
        /// Tokens read from a cache.
        @Lenient public var cachedReadTokens: UInt64?
        /// Tokens written to a cache.
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
