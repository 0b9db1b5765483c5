import JSONCoding

extension ACP {
    /// The session's options have changed. Schema: `ConfigOptionUpdate`.
    public struct ConfigOptionUpdate: Object {
        /// All options and their values.
        @Lossy public var configOptions: [SessionConfigOption]
        public var otherMembers: OtherMembers

        public init(configOptions: [SessionConfigOption] = [], meta: RawJSON? = nil) {
            self.configOptions = configOptions
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
