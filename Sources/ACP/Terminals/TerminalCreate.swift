import JSONCoding

extension ACP {
    /// Identifies one of the client's terminals. Schema: `TerminalId`.
    public struct TerminalId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension ACP.Client {
    /// Runs a command in a new terminal. The client responds at once, without waiting for the command to end. Only
    /// for clients with the `terminal` capability. Schema: `CreateTerminalRequest`.
    public struct TerminalCreateRequest: ACP.Request {
        public typealias Response = TerminalCreateResponse
        public static let method = "terminal/create"

        /// The session that makes the request.
        public var sessionId: ACP.SessionId
        /// The program.
        public var command: String
        /// The program's arguments.
        @Lenient public var args: [String]
        /// Environment variables to set.
        @Lenient public var env: [ACP.EnvVariable]
        /// The working directory: an absolute path.
        @Lenient public var cwd: String?
        /// The maximum number of bytes of output to keep. If there is more, the client drops whole characters from
        /// the beginning.
        @Lenient public var outputByteLimit: UInt64?
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, command: String, args: [String] = [], env: [ACP.EnvVariable] = [],
            cwd: String? = nil, outputByteLimit: UInt64? = nil, meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.command = command
            self.args = args
            self.env = env
            self.cwd = cwd
            self.outputByteLimit = outputByteLimit
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP.Client {
    /// The command is running. Schema: `CreateTerminalResponse`.
    public struct TerminalCreateResponse: ACP.Object {
        /// The id for the other `terminal/` methods. The agent must release it when it no longer needs the
        /// terminal.
        public var terminalId: ACP.TerminalId
        public var otherMembers: OtherMembers

        public init(terminalId: ACP.TerminalId, meta: RawJSON? = nil) {
            self.terminalId = terminalId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
