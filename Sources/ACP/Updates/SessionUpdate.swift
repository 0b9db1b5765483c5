import JSONCoding

extension ACP {
    /// An event in a session. Chunks are appended. `toolCallUpdate` and `sessionInfoUpdate` change earlier values;
    /// the other updates replace them. Schema: `SessionUpdate`.
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
        /// Unstable. A message to the user that is not part of the conversation.
        case notice(Notice)
        /// Unstable. A compaction of the context, running or complete.
        case compactionUpdate(CompactionUpdate)
        /// Unstable. A part of the summary that replaces a compacted context.
        case compactionSummaryChunk(CompactionSummaryChunk)
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
            case .unknown(let value): Variant(value)
            }
        }
    }
}
