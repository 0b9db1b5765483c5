import JSONCoding

extension ACP {
    /// A variable of a process's environment. Schema: `EnvVariable`.
    public struct EnvVariable: Object {
        /// Its name.
        public var name: String
        /// Its value; may be a secret.
        public var value: String
        public var otherMembers: OtherMembers

        public init(name: String, value: String, meta: RawJSON? = nil) {
            self.name = name
            self.value = value
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
