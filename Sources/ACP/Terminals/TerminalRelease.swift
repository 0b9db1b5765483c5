import JSONCoding

extension ACP.Client {
    /// Gives a terminal back. A command that still runs is killed; the id means nothing from now on. Schema:
    /// `ReleaseTerminalRequest`.
    public struct TerminalReleaseRequest: ACP.Request {
        public typealias Response = TerminalReleaseResponse
        public static let method = "terminal/release"

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

    /// The terminal was given back. Schema: `ReleaseTerminalResponse`.
    public struct TerminalReleaseResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
