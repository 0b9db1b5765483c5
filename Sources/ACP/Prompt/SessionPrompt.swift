import JSONCoding

extension ACP.Agent {
    /// The user's message. The agent responds when the turn ends, which can take hours; during the turn the agent
    /// sends `session/update`. Schema: `PromptRequest`.
    public struct SessionPromptRequest: ACP.Request {
        public typealias Response = SessionPromptResponse
        public static let method = "session/prompt"

        /// The session that receives the message.
        public var sessionId: ACP.SessionId
        /// The message. Text and links are always allowed; other blocks need the agent's `promptCapabilities`.
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
        /// The reason why the turn ended.
        public var stopReason: ACP.StopReason
        /// Unstable. The tokens that the turn used.
        @Lenient public var usage: ACP.Usage?
        public var otherMembers: OtherMembers

        public init(stopReason: ACP.StopReason, usage: ACP.Usage? = nil, meta: RawJSON? = nil) {
            self.stopReason = stopReason
            self.usage = usage
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
