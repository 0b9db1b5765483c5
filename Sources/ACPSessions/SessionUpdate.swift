import ACPBase
import ACPMethods
import JSONCoding

extension ACP.Client {
    /// An event in a session. Agents send it during turns, during replays, and between turns. Schema:
    /// `SessionNotification`.
    public struct SessionNotification: ACP.Notification {
        public static let method = ACPMethod.sessionUpdate.name

        /// The session in which the event occurred.
        public var sessionId: ACP.SessionId
        /// The event.
        public var update: ACP.SessionUpdate
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, update: ACP.SessionUpdate, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.update = update
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A `session/update` together with its original line, for code that stores or forwards the line, or that reads
    /// members without a type.
    ///
    ///     {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{…}}}
    public struct SessionNotificationWire: Hashable, Sendable {
        /// The unchanged line, without the line feed.
        public let line: RawJSON

        /// The decoded notification.
        public let notification: SessionNotification

        /// Decodes a whole JSON-RPC message. Throws if its method is not `session/update`.
        public init(line: RawJSON) throws(JSONCodingError) {
            self.line = line
            notification = try line.decode(as: Message.self).params
        }

        /// The session in which the event occurred.
        public var sessionId: ACP.SessionId { notification.sessionId }
        /// The event.
        public var update: ACP.SessionUpdate { notification.update }
    }

    private struct Message: Decodable {
        let params: SessionNotification

        enum CodingKeys: CodingKey { case method, params }

        init(from decoder: any Decoder) throws {
            let message = try decoder.container(keyedBy: CodingKeys.self)
            guard try message.decode(String.self, forKey: .method) == SessionNotification.method else {
                throw DecodingError.dataCorruptedError(
                    forKey: .method, in: message, debugDescription: "not \(SessionNotification.method)")
            }
            params = try message.decode(SessionNotification.self, forKey: .params)
        }
    }
}

extension ACP.Client.SessionNotificationWire: Codable {
    public init(from decoder: any Decoder) throws { try self.init(line: RawJSON(from: decoder)) }

    /// Writes the line.
    public func encode(to encoder: any Encoder) throws { try line.encode(to: encoder) }
}

extension ACP {
    /// An event in a session. Chunks are appended. `toolCallUpdate`, `sessionInfoUpdate`, `subagentUpdate` and
    /// `sessionMessage` change earlier values; the other updates replace them. Schema: `SessionUpdate`.
    public enum SessionUpdate: TaggedUnion {
        /// A part of the user's message, sent in replays and by agents that echo prompts.
        case userMessageChunk(ContentChunk)
        /// A part of the agent's answer.
        case agentMessageChunk(ContentChunk)
        /// A part of the agent's thoughts.
        case agentThoughtChunk(ContentChunk)
        /// A new tool call.
        case toolCall(ToolCall)
        /// A change to a tool call.
        case toolCallUpdate(ToolCallUpdate)
        /// The whole plan.
        case plan(Plan)
        /// Unstable. A complete new version of one of several plans.
        case planUpdate(PlanUpdate)
        /// Unstable. One of several plans was removed.
        case planRemoved(PlanRemoved)
        /// The complete list of commands that a prompt can begin with.
        case availableCommandsUpdate(AvailableCommandsUpdate)
        /// The session's mode has changed.
        case currentModeUpdate(CurrentModeUpdate)
        /// All options of the session.
        case configOptionUpdate(ConfigOptionUpdate)
        /// The session's title or its time of last activity has changed.
        case sessionInfoUpdate(SessionInfoUpdate)
        /// The fill level of the context.
        case usageUpdate(UsageUpdate)
        /// A message to the user that is not part of the conversation. Unstable in schema 1.21.0.
        case notice(Notice)
        /// A compaction of the context, running or complete. Unstable in schema 1.21.0.
        case compactionUpdate(CompactionUpdate)
        /// A part of the summary that replaces a compacted context. Unstable in schema 1.21.0.
        case compactionSummaryChunk(CompactionSummaryChunk)
        /// A child session was announced or has changed. For clients with the `subagents` capability.
        case subagentUpdate(SubagentUpdate)
        /// A message between two sessions. For clients with the `subagents` capability.
        case sessionMessage(SessionMessage)
        /// A part of a message between two sessions. For clients with the `subagents` capability.
        case sessionMessageChunk(SessionMessageChunk)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "sessionUpdate"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "user_message_chunk": self = .userMessageChunk(try ContentChunk(from: decoder))
            case "agent_message_chunk": self = .agentMessageChunk(try ContentChunk(from: decoder))
            case "agent_thought_chunk": self = .agentThoughtChunk(try ContentChunk(from: decoder))
            case "tool_call": self = .toolCall(try ToolCall(from: decoder))
            case "tool_call_update": self = .toolCallUpdate(try ToolCallUpdate(from: decoder))
            case "plan": self = .plan(try Plan(from: decoder))
            case "plan_update": self = .planUpdate(try PlanUpdate(from: decoder))
            case "plan_removed": self = .planRemoved(try PlanRemoved(from: decoder))
            case "available_commands_update":
                self = .availableCommandsUpdate(try AvailableCommandsUpdate(from: decoder))
            case "current_mode_update": self = .currentModeUpdate(try CurrentModeUpdate(from: decoder))
            case "config_option_update": self = .configOptionUpdate(try ConfigOptionUpdate(from: decoder))
            case "session_info_update": self = .sessionInfoUpdate(try SessionInfoUpdate(from: decoder))
            case "usage_update": self = .usageUpdate(try UsageUpdate(from: decoder))
            case "notice": self = .notice(try Notice(from: decoder))
            case "compaction_update": self = .compactionUpdate(try CompactionUpdate(from: decoder))
            case "compaction_summary_chunk": self = .compactionSummaryChunk(try CompactionSummaryChunk(from: decoder))
            case "subagent_update": self = .subagentUpdate(try SubagentUpdate(from: decoder))
            case "session_message": self = .sessionMessage(try SessionMessage(from: decoder))
            case "session_message_chunk": self = .sessionMessageChunk(try SessionMessageChunk(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .userMessageChunk(let value): Variant("user_message_chunk", value)
            case .agentMessageChunk(let value): Variant("agent_message_chunk", value)
            case .agentThoughtChunk(let value): Variant("agent_thought_chunk", value)
            case .toolCall(let value): Variant("tool_call", value)
            case .toolCallUpdate(let value): Variant("tool_call_update", value)
            case .plan(let value): Variant("plan", value)
            case .planUpdate(let value): Variant("plan_update", value)
            case .planRemoved(let value): Variant("plan_removed", value)
            case .availableCommandsUpdate(let value): Variant("available_commands_update", value)
            case .currentModeUpdate(let value): Variant("current_mode_update", value)
            case .configOptionUpdate(let value): Variant("config_option_update", value)
            case .sessionInfoUpdate(let value): Variant("session_info_update", value)
            case .usageUpdate(let value): Variant("usage_update", value)
            case .notice(let value): Variant("notice", value)
            case .compactionUpdate(let value): Variant("compaction_update", value)
            case .compactionSummaryChunk(let value): Variant("compaction_summary_chunk", value)
            case .subagentUpdate(let value): Variant("subagent_update", value)
            case .sessionMessage(let value): Variant("session_message", value)
            case .sessionMessageChunk(let value): Variant("session_message_chunk", value)
            case .unknown(let value): Variant(value)
            }
        }
    }

    /// Identifies a message within its session. Schema: `MessageId`.
    public struct MessageId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A part of a message. Schema: `ContentChunk`.
    public struct ContentChunk: Object {
        /// The content to append to the message.
        public var content: ContentBlock
        /// The id of the message. A different id begins a new message; without ids, a different kind of update
        /// does.
        @Lenient public var messageId: MessageId?
        public var otherMembers: OtherMembers

        public init(content: ContentBlock, messageId: MessageId? = nil, meta: RawJSON? = nil) {
            self.content = content
            self.messageId = messageId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A message to the user. It is shown when it arrives and is not replayed; the user possibly never sees it.
    /// Unstable in schema 1.21.0, stable in version 2. Schema: `Notice`.
    public struct Notice: Object {
        /// The severity, which decides how to show the notice.
        public var severity: NoticeSeverity
        /// Plain text that is understandable without the description.
        public var title: String
        /// Details, in plain text.
        @Lenient public var description: String?
        public var otherMembers: OtherMembers

        public init(severity: NoticeSeverity, title: String, description: String? = nil, meta: RawJSON? = nil) {
            self.severity = severity
            self.title = title
            self.description = description
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The severity of a notice. Names that begin with `_` are free for extensions. Unstable in schema 1.21.0, stable in
    /// version 2. Schema: `NoticeSeverity`.
    public struct NoticeSeverity: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Information that needs no action.
        public static let info = Self(rawValue: "info")
        /// Something that possibly needs action.
        public static let warning = Self(rawValue: "warning")
        /// An error.
        public static let error = Self(rawValue: "error")

        public static let allCases = [info, warning, error]
    }
}
