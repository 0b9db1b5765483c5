import JSONCoding

extension ACP.Agent {
    /// Sets the session's mode. Schema: `SetSessionModeRequest`.
    public struct SessionSetModeRequest: ACP.Request {
        public typealias Response = SessionSetModeResponse
        public static let method = "session/set_mode"

        /// The session to change.
        public var sessionId: ACP.SessionId
        /// The id of one of the session's `availableModes`.
        public var modeId: ACP.SessionModeId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, modeId: ACP.SessionModeId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.modeId = modeId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The mode is set. Schema: `SetSessionModeResponse`.
    public struct SessionSetModeResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
