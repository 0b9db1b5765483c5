import ACPBase
import ACPMethods
import ACPSessions
import JSONCoding

extension ACP.V2.Client {
    /// An event in a session. Agents send it at any time. Schema: `UpdateSessionNotification`.
    public struct SessionNotification: ACP.Notification {
        public static let method = ACPMethod.sessionUpdate.name

        /// The session in which the event occurred. For `subagent_update`, it is the parent session.
        public var sessionId: ACP.SessionId
        /// The event.
        public var update: ACP.V2.SessionUpdate
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, update: ACP.V2.SessionUpdate, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.update = update
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP.Client.SessionNotificationWire {
    /// Decodes the line as a message of version 2. The line does not state its version: use this function if the agent
    /// of the session speaks version 2.
    public func version2Notification() throws(JSONCodingError) -> ACP.V2.Client.SessionNotification {
        try (line["params"] ?? [:]).decode(as: ACP.V2.Client.SessionNotification.self)
    }
}

extension ACP.V2 {
    /// An event in a session. Chunks are appended. Updates with an id add or change the value with that id: an absent
    /// member is unchanged, `null` clears it, and an array replaces the whole earlier array. Schema: `SessionUpdate`.
    public enum SessionUpdate: TaggedUnion {
        /// A message of the user.
        case userMessage(MessageUpdate)
        /// A part of a message of the user.
        case userMessageChunk(ContentChunk)
        /// An answer of the agent.
        case agentMessage(MessageUpdate)
        /// A part of an answer of the agent.
        case agentMessageChunk(ContentChunk)
        /// A thought of the agent.
        case agentThought(MessageUpdate)
        /// A part of a thought of the agent.
        case agentThoughtChunk(ContentChunk)
        /// The state of the session; turns begin and end with it.
        case stateUpdate(StateUpdate)
        /// A tool call.
        case toolCallUpdate(ToolCallUpdate)
        /// A part of a tool call's content.
        case toolCallContentChunk(ToolCallContentChunk)
        /// A terminal.
        case terminalUpdate(TerminalUpdate)
        /// A part of a terminal's output.
        case terminalOutputChunk(TerminalOutputChunk)
        /// A complete new version of one of the session's plans.
        case planUpdate(PlanUpdate)
        /// Unstable. One of the session's plans was removed.
        case planRemoved(ACP.PlanRemoved)
        /// The complete list of commands that a prompt can begin with.
        case availableCommandsUpdate(AvailableCommandsUpdate)
        /// All options of the session.
        case configOptionUpdate(ConfigOptionUpdate)
        /// The session's title or its time of last activity has changed.
        case sessionInfoUpdate(ACP.SessionInfoUpdate)
        /// The fill level of the context.
        case usageUpdate(ACP.UsageUpdate)
        /// A message to the user that is not part of the conversation. It is not replayed.
        case notice(ACP.Notice)
        /// A compaction of the context.
        case compactionUpdate(CompactionUpdate)
        /// A part of the summary that replaces a compacted context.
        case compactionSummaryChunk(ACP.CompactionSummaryChunk)
        /// A child session of this session. Newer than alpha.3.
        case subagentUpdate(ACP.SubagentUpdate)
        /// A message between two sessions. Newer than alpha.3.
        case sessionMessage(ACP.SessionMessage)
        /// A part of a message between two sessions. Newer than alpha.3.
        case sessionMessageChunk(ACP.SessionMessageChunk)
        /// The end of the replay. Newer than alpha.3; older agents do not send it.
        case replayComplete(ReplayComplete)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "sessionUpdate"

        public init(tag: String?, from decoder: any Decoder) throws {
            let known = try tag.flatMap { tag in
                try Self.message(tag, decoder) ?? Self.work(tag, decoder) ?? Self.session(tag, decoder)
            }
            self = try known ?? .unknown(UnknownVariant(tag, from: decoder))
        }

        public var variant: Variant {
            switch self {
            case .userMessage(let value): Variant("user_message", value)
            case .userMessageChunk(let value): Variant("user_message_chunk", value)
            case .agentMessage(let value): Variant("agent_message", value)
            case .agentMessageChunk(let value): Variant("agent_message_chunk", value)
            case .agentThought(let value): Variant("agent_thought", value)
            case .agentThoughtChunk(let value): Variant("agent_thought_chunk", value)
            case .stateUpdate(let value): Variant("state_update", value)
            case .toolCallUpdate(let value): Variant("tool_call_update", value)
            case .toolCallContentChunk(let value): Variant("tool_call_content_chunk", value)
            case .terminalUpdate(let value): Variant("terminal_update", value)
            case .terminalOutputChunk(let value): Variant("terminal_output_chunk", value)
            case .planUpdate(let value): Variant("plan_update", value)
            case .planRemoved(let value): Variant("plan_removed", value)
            case .availableCommandsUpdate(let value): Variant("available_commands_update", value)
            case .configOptionUpdate(let value): Variant("config_option_update", value)
            case .sessionInfoUpdate(let value): Variant("session_info_update", value)
            case .usageUpdate(let value): Variant("usage_update", value)
            case .notice(let value): Variant("notice", value)
            case .compactionUpdate(let value): Variant("compaction_update", value)
            case .compactionSummaryChunk(let value): Variant("compaction_summary_chunk", value)
            case .subagentUpdate(let value): Variant("subagent_update", value)
            case .sessionMessage(let value): Variant("session_message", value)
            case .sessionMessageChunk(let value): Variant("session_message_chunk", value)
            case .replayComplete(let value): Variant("replay_complete", value)
            case .unknown(let value): Variant(value)
            }
        }
    }
}

// MARK: - Reading

extension ACP.V2.SessionUpdate {
    /// Reads an update that belongs to a message; nil for other kinds.
    private static func message(_ tag: String, _ decoder: any Decoder) throws -> Self? {
        switch tag {
        case "user_message": .userMessage(try ACP.V2.MessageUpdate(from: decoder))
        case "user_message_chunk": .userMessageChunk(try ACP.V2.ContentChunk(from: decoder))
        case "agent_message": .agentMessage(try ACP.V2.MessageUpdate(from: decoder))
        case "agent_message_chunk": .agentMessageChunk(try ACP.V2.ContentChunk(from: decoder))
        case "agent_thought": .agentThought(try ACP.V2.MessageUpdate(from: decoder))
        case "agent_thought_chunk": .agentThoughtChunk(try ACP.V2.ContentChunk(from: decoder))
        case "session_message": .sessionMessage(try ACP.SessionMessage(from: decoder))
        case "session_message_chunk": .sessionMessageChunk(try ACP.SessionMessageChunk(from: decoder))
        default: nil
        }
    }

    /// Reads an update about the agent's work; nil for other kinds.
    private static func work(_ tag: String, _ decoder: any Decoder) throws -> Self? {
        switch tag {
        case "state_update": .stateUpdate(try ACP.V2.StateUpdate(from: decoder))
        case "tool_call_update": .toolCallUpdate(try ACP.V2.ToolCallUpdate(from: decoder))
        case "tool_call_content_chunk": .toolCallContentChunk(try ACP.V2.ToolCallContentChunk(from: decoder))
        case "terminal_update": .terminalUpdate(try ACP.V2.TerminalUpdate(from: decoder))
        case "terminal_output_chunk": .terminalOutputChunk(try ACP.V2.TerminalOutputChunk(from: decoder))
        case "plan_update": .planUpdate(try ACP.V2.PlanUpdate(from: decoder))
        case "plan_removed": .planRemoved(try ACP.PlanRemoved(from: decoder))
        case "subagent_update": .subagentUpdate(try ACP.SubagentUpdate(from: decoder))
        default: nil
        }
    }

    /// Reads an update about the session as a whole; nil for other kinds.
    private static func session(_ tag: String, _ decoder: any Decoder) throws -> Self? {
        switch tag {
        case "available_commands_update":
            .availableCommandsUpdate(try ACP.V2.AvailableCommandsUpdate(from: decoder))
        case "config_option_update": .configOptionUpdate(try ACP.V2.ConfigOptionUpdate(from: decoder))
        case "session_info_update": .sessionInfoUpdate(try ACP.SessionInfoUpdate(from: decoder))
        case "usage_update": .usageUpdate(try ACP.UsageUpdate(from: decoder))
        case "notice": .notice(try ACP.Notice(from: decoder))
        case "compaction_update": .compactionUpdate(try ACP.V2.CompactionUpdate(from: decoder))
        case "compaction_summary_chunk": .compactionSummaryChunk(try ACP.CompactionSummaryChunk(from: decoder))
        case "replay_complete": .replayComplete(try ACP.V2.ReplayComplete(from: decoder))
        default: nil
        }
    }
}
