import JSONCoding

extension ACP {
    /// The value that an option is set to.
    public enum SessionConfigValue: Hashable, Sendable {
        /// One of a `select` option's values.
        case id(SessionConfigValueId)
        /// A `boolean` option's; `"type":"boolean"` stands beside it.
        case boolean(Bool)
        /// Neither, as it is spelt; its `type` is among the request's `otherMembers`.
        case unknown(RawJSON)
    }
}
