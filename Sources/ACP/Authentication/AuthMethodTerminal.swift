import JSONCoding

extension ACP {
    /// A login in a terminal. The client runs the command that starts the agent, with these arguments appended and
    /// these variables set. Exit status 0 means success; the client then reconnects. `authenticate` is not sent.
    /// Schema: `AuthMethodTerminal`.
    public struct AuthMethodTerminal: Object {
        /// The id, which is unique among the agent's login methods.
        public var id: AuthMethodId
        /// The name to show to the user.
        public var name: String
        /// A longer description to show to the user.
        @Lenient public var description: String?
        /// Arguments to append to the agent's own arguments.
        @Lenient public var args: [String]
        /// Variables that override the agent's environment. This is an object, not a list as in `EnvVariable`.
        @Lenient public var env: [String: String]
        public var otherMembers: OtherMembers

        public init(
            id: AuthMethodId, name: String, description: String? = nil, args: [String] = [],
            env: [String: String] = [:], meta: RawJSON? = nil
        ) {
            self.id = id
            self.name = name
            self.description = description
            self.args = args
            self.env = env
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
