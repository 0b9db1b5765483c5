import JSONCoding

extension ACP.Client {
    /// Kills a command. The terminal and its output remain. Schema: `KillTerminalRequest`.
    public struct TerminalKillRequest: ACP.Request {
        public typealias Response = TerminalKillResponse
        public static let method = "terminal/kill"

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

    /// The command was killed. Schema: `KillTerminalResponse`.
    public struct TerminalKillResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
