import JSONCoding

extension ACP.Client {
    /// Asks the user for permission to run a tool. The agent waits for the answer. Schema:
    /// `RequestPermissionRequest`.
    public struct SessionRequestPermissionRequest: ACP.Request {
        public typealias Response = SessionRequestPermissionResponse
        public static let method = "session/request_permission"

        /// The session in which the tool is called.
        public var sessionId: ACP.SessionId
        /// The tool call that needs permission.
        public var toolCall: ACP.ToolCallUpdate
        /// The answers to choose from.
        public var options: [ACP.PermissionOption]
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, toolCall: ACP.ToolCallUpdate, options: [ACP.PermissionOption],
            meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.toolCall = toolCall
            self.options = options
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The user's answer. Schema: `RequestPermissionResponse`.
    public struct SessionRequestPermissionResponse: ACP.Object {
        /// The chosen option, or `cancelled` if the turn was cancelled.
        public var outcome: ACP.RequestPermissionOutcome
        public var otherMembers: OtherMembers

        public init(outcome: ACP.RequestPermissionOutcome, meta: RawJSON? = nil) {
            self.outcome = outcome
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
