import JSONCoding

extension ACP {
    /// The new value of an option.
    public enum SessionConfigValue: Hashable, Sendable {
        /// The id of a value of a `select` option.
        case id(SessionConfigValueId)
        /// The value of a `boolean` option. It is sent with `"type":"boolean"`.
        case boolean(Bool)
        /// Neither of them; the JSON is kept unchanged. Its `type` is in the request's `otherMembers`.
        case unknown(RawJSON)
    }
}
