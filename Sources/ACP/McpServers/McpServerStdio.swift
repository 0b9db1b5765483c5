import JSONCoding

extension ACP {
    /// An MCP server that is a program and uses its standard input and output. Schema: `McpServerStdio`.
    public struct McpServerStdio: Object {
        /// The name to show to the user.
        public var name: String
        /// The absolute path of the program.
        public var command: String
        /// The program's arguments.
        public var args: [String]
        /// Environment variables to set.
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
