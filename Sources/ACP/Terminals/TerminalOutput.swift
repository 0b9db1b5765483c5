import JSONCoding

extension ACP.Client {
    /// Asks for what a terminal shows, without waiting. Schema: `TerminalOutputRequest`.
    public struct TerminalOutputRequest: ACP.Request {
        public typealias Response = TerminalOutputResponse
        public static let method = "terminal/output"

        /// The session that asks.
        public var sessionId: ACP.SessionId
        /// From `terminal/create`.
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
    /// What the terminal shows. Schema: `TerminalOutputResponse`.
    public struct TerminalOutputResponse: ACP.Object {
        /// What the command wrote so far, or the end of it.
        public var output: String
        /// True when the front was cut off.
        public var truncated: Bool
        /// How the command ended; absent while it runs.
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
    /// How a command ended. Schema: `TerminalExitStatus`.
    public struct TerminalExitStatus: Object {
        /// Absent when a signal ended it.
        @Lenient public var exitCode: UInt32?
        /// The signal that ended it: `SIGTERM`.
        @Lenient public var signal: String?
        public var otherMembers: OtherMembers

        public init(exitCode: UInt32? = nil, signal: String? = nil, meta: RawJSON? = nil) {
            self.exitCode = exitCode
            self.signal = signal
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
