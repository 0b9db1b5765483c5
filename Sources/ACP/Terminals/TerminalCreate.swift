import JSONCoding

extension ACP {
    /// Names one of the client's terminals. Schema: `TerminalId`.
    public struct TerminalId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension ACP.Client {
    /// Runs a command in a new terminal. Answered at once. For clients that have `terminal`. Schema:
    /// `CreateTerminalRequest`.
    public struct TerminalCreateRequest: ACP.Request {
        public typealias Response = TerminalCreateResponse
        public static let method = "terminal/create"

        /// The session that asks.
        public var sessionId: ACP.SessionId
        /// The program.
        public var command: String
        /// Its arguments.
        @Lenient public var args: [String]
        /// Variables to set.
        @Lenient public var env: [ACP.EnvVariable]
        /// Where it runs: an absolute path.
        @Lenient public var cwd: String?
        /// How many bytes of output to keep at most. What is too much goes from the front, whole characters.
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
    /// The command runs. Schema: `CreateTerminalResponse`.
    public struct TerminalCreateResponse: ACP.Object {
        /// For the other `terminal/` methods. To be released in the end.
        public var terminalId: ACP.TerminalId
        public var otherMembers: OtherMembers

        public init(terminalId: ACP.TerminalId, meta: RawJSON? = nil) {
            self.terminalId = terminalId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
