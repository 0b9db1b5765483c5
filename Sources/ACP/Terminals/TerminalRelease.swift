import JSONCoding

extension ACP.Client {
    /// Releases a terminal. A command that still runs is killed, and the id becomes invalid. Schema:
    /// `ReleaseTerminalRequest`.
    public struct TerminalReleaseRequest: ACP.Request {
        public typealias Response = TerminalReleaseResponse
        public static let method = "terminal/release"

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

    /// The terminal was released. Schema: `ReleaseTerminalResponse`.
    public struct TerminalReleaseResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
