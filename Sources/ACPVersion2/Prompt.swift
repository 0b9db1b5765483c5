import ACPBase
import ACPMethods
import ACPSessions
import JSONCoding

extension ACP.V2.Agent {
    /// The user's message. The agent responds when it has inserted the message into the conversation, not when the turn
    /// ends. An agent can hold the message until another turn has ended, so the response can take hours. Schema:
    /// `PromptRequest`.
    ///
    /// A JSON-RPC error means that the message was not inserted. A later failure is an idle `state_update` with the
    /// stop reason `error`.
    public struct SessionPromptRequest: ACP.Request {
        public typealias Response = SessionPromptResponse
        public static let method = ACPMethod.sessionPrompt.name

        /// The session that receives the message.
        public var sessionId: ACP.SessionId
        /// The message; must not be empty. Text and links are always allowed; other blocks need the agent's
        /// capabilities in `session.prompt`.
        public var prompt: [ACP.ContentBlock]
        /// A string that the client chooses. The agent inserts at most one message per key and answers a repeated
        /// request with the first `messageId`. Source: the RFD "idempotency keys".
        public var idempotencyKey: String?
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, prompt: [ACP.ContentBlock], idempotencyKey: String? = nil,
            meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.prompt = prompt
            self.idempotencyKey = idempotencyKey
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The message was inserted. Schema: `PromptResponse`, since alpha.5.
    public struct SessionPromptResponse: ACP.Object {
        /// The id of the message. A `user_message` or its chunks have the same id, and can arrive before the response.
        public var messageId: ACP.MessageId
        public var otherMembers: OtherMembers

        public init(messageId: ACP.MessageId, meta: RawJSON? = nil) {
            self.messageId = messageId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Cancels the session's foreground work and its prompts that are not inserted yet. Background work continues. The
    /// agent withdraws its own permission requests with `$/cancel_request`. The client answers each withdrawn request
    /// with `cancelled`; it does not have to answer the others. Schema: `CancelSessionNotification`.
    public struct SessionCancelNotification: ACP.Notification {
        public static let method = ACPMethod.sessionCancel.name

        /// The session that must stop its work; can be a child session with the capability `cancel`.
        public var sessionId: ACP.SessionId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Cancels a tool call that has the capability `cancel`. Other tool calls are an error of code -32602.
    public struct ToolCallCancelRequest: ACP.Request {
        public typealias Response = ToolCallCancelResponse
        public static let method = ACPMethod.toolCallCancel.name

        /// The session of the tool call.
        public var sessionId: ACP.SessionId
        /// The tool call.
        public var toolCallId: ACP.ToolCallId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, toolCallId: ACP.ToolCallId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.toolCallId = toolCallId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The agent accepted the request. The tool call has not ended before a `tool_call_update` states so.
    public struct ToolCallCancelResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Cancels a terminal's command. Only for terminals with the capability `cancel`; others are an error of code
    /// -32602.
    public struct TerminalCancelRequest: ACP.Request {
        public typealias Response = TerminalCancelResponse
        public static let method = ACPMethod.terminalCancel.name

        /// The session of the terminal.
        public var sessionId: ACP.SessionId
        /// The terminal.
        public var terminalId: ACP.TerminalId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, terminalId: ACP.TerminalId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.terminalId = terminalId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The agent accepted the request. The command has not ended before a `terminal_update` has an `exitStatus`.
    public struct TerminalCancelResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
