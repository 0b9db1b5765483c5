import JSONCoding

extension ACP.Agent {
    /// Unstable. Closes a session of next edits. Schema: `CloseNesRequest`.
    public struct NesCloseRequest: ACP.Request {
        public typealias Response = NesCloseResponse
        public static let method = "nes/close"

        /// The session id that `nes/start` returned.
        public var sessionId: ACP.SessionId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. The session is closed. Schema: `CloseNesResponse`.
    public struct NesCloseResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
