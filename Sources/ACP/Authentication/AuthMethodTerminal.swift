import JSONCoding

extension ACP {
    /// A login in a terminal: the client runs the command by which it starts the agent, with these arguments behind and
    /// these variables set. Exit status 0 means success; then the client connects anew. `authenticate` is not sent.
    /// Schema: `AuthMethodTerminal`.
    public struct AuthMethodTerminal: Object {
        /// Tells the method from others.
        public var id: AuthMethodId
        /// For the user to choose by.
        public var name: String
        /// More, for the user.
        @Lenient public var description: String?
        /// Put behind the agent's own arguments.
        @Lenient public var args: [String]
        /// Set over the agent's own environment: an object here, not a list as in `EnvVariable`.
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
