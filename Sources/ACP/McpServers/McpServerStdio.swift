import JSONCoding

extension ACP {
    /// A program that speaks MCP on its standard input and output. Schema: `McpServerStdio`.
    public struct McpServerStdio: Object {
        /// For the user.
        public var name: String
        /// The program: an absolute path.
        public var command: String
        /// Its arguments.
        public var args: [String]
        /// Variables to set.
        public var env: [EnvVariable]
        public var otherMembers: OtherMembers

        public init(name: String, command: String, args: [String], env: [EnvVariable], meta: RawJSON? = nil) {
            self.name = name
            self.command = command
            self.args = args
            self.env = env
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
