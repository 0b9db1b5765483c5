import JSONCoding

extension ACP {
    /// An environment variable of a process. Schema: `EnvVariable`.
    public struct EnvVariable: Object {
        /// The name of the variable.
        public var name: String
        /// The value of the variable. It can be a secret.
        public var value: String
        public var otherMembers: OtherMembers

        public init(name: String, value: String, meta: RawJSON? = nil) {
            self.name = name
            self.value = value
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
