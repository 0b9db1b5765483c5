import JSONCoding

extension ACP.Client {
    /// Returns a terminal's output so far, without waiting. Schema: `TerminalOutputRequest`.
    public struct TerminalOutputRequest: ACP.Request {
        public typealias Response = TerminalOutputResponse
        public static let method = "terminal/output"

        /// The session that makes the request.
        public var sessionId: ACP.SessionId
        /// The id that `terminal/create` returned.
        public var terminalId: ACP.TerminalId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, terminalId: ACP.TerminalId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.terminalId = terminalId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP.Client {
    /// The output of a terminal. Schema: `TerminalOutputResponse`.
    public struct TerminalOutputResponse: ACP.Object {
        /// The output so far, or the end of it if it was truncated.
        public var output: String
        /// True when the beginning of the output was dropped.
        public var truncated: Bool
        /// The exit status of the command; absent while it runs.
        @Lenient public var exitStatus: ACP.TerminalExitStatus?
        public var otherMembers: OtherMembers

        public init(output: String, truncated: Bool, exitStatus: ACP.TerminalExitStatus? = nil, meta: RawJSON? = nil) {
            self.output = output
            self.truncated = truncated
            self.exitStatus = exitStatus
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// The exit status of a command. Schema: `TerminalExitStatus`.
    public struct TerminalExitStatus: Object {
        /// The exit code; absent if a signal ended the command.
        @Lenient public var exitCode: UInt32?
        /// The signal that ended the command, for example `SIGTERM`.
        @Lenient public var signal: String?
        public var otherMembers: OtherMembers

        public init(exitCode: UInt32? = nil, signal: String? = nil, meta: RawJSON? = nil) {
            self.exitCode = exitCode
            self.signal = signal
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
