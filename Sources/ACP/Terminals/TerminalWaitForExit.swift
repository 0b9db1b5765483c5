import JSONCoding

extension ACP.Client {
    /// Waits until a command has exited. Schema: `WaitForTerminalExitRequest`.
    public struct TerminalWaitForExitRequest: ACP.Request {
        public typealias Response = TerminalWaitForExitResponse
        public static let method = "terminal/wait_for_exit"

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

    /// The command has exited. Schema: `WaitForTerminalExitResponse`.
    public struct TerminalWaitForExitResponse: ACP.Object, DecodableFromNull {
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
