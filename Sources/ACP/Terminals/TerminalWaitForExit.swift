import JSONCoding

extension ACP.Client {
    /// Waits until a command has ended. Schema: `WaitForTerminalExitRequest`.
    public struct TerminalWaitForExitRequest: ACP.Request {
        public typealias Response = TerminalWaitForExitResponse
        public static let method = "terminal/wait_for_exit"

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

    /// The command has ended. Schema: `WaitForTerminalExitResponse`.
    public struct TerminalWaitForExitResponse: ACP.Object, DecodableFromNull {
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
