/// The kinds of update that ``SessionRenderer`` knows, of both versions of ACP. Updates of other kinds are named only.
///
/// The page has a table of the same kinds. `Tests/Page/update-kinds.json` lists them, and the tests of both compare their
/// kinds with the list.
package enum RenderedKind: String, CaseIterable, Sendable {
    case agentMessage = "agent_message"
    case agentMessageChunk = "agent_message_chunk"
    case agentThought = "agent_thought"
    case agentThoughtChunk = "agent_thought_chunk"
    case availableCommandsUpdate = "available_commands_update"
    case compactionSummaryChunk = "compaction_summary_chunk"
    case compactionUpdate = "compaction_update"
    case configOptionUpdate = "config_option_update"
    case currentModeUpdate = "current_mode_update"
    case notice
    case plan
    case planRemoved = "plan_removed"
    case planUpdate = "plan_update"
    case replayComplete = "replay_complete"
    case sessionInfoUpdate = "session_info_update"
    case sessionMessage = "session_message"
    case sessionMessageChunk = "session_message_chunk"
    case stateUpdate = "state_update"
    case subagentUpdate = "subagent_update"
    case terminalOutputChunk = "terminal_output_chunk"
    case terminalUpdate = "terminal_update"
    case toolCall = "tool_call"
    case toolCallContentChunk = "tool_call_content_chunk"
    case toolCallUpdate = "tool_call_update"
    case usageUpdate = "usage_update"
    case userMessage = "user_message"
    case userMessageChunk = "user_message_chunk"
}
