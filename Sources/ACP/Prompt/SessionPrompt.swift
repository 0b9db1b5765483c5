import JSONCoding

extension ACP.Agent {
    /// The user's message. It is answered when the turn ends, which may take hours; meanwhile the agent sends
    /// `session/update`. Schema: `PromptRequest`.
    public struct SessionPromptRequest: ACP.Request {
        public typealias Response = SessionPromptResponse
        public static let method = "session/prompt"

        /// The session to talk to.
        public var sessionId: ACP.SessionId
        /// Text and links always; other blocks where the agent has `promptCapabilities` for them.
        public var prompt: [ACP.ContentBlock]
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, prompt: [ACP.ContentBlock], meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.prompt = prompt
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The turn has ended. Schema: `PromptResponse`.
    public struct SessionPromptResponse: ACP.Object {
        /// Why it ended.
        public var stopReason: ACP.StopReason
        /// Unstable. The tokens it took.
        @Lenient public var usage: ACP.Usage?
        public var otherMembers: OtherMembers

        public init(stopReason: ACP.StopReason, usage: ACP.Usage? = nil, meta: RawJSON? = nil) {
            self.stopReason = stopReason
            self.usage = usage
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
