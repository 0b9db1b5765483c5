import JSONScan

/// The kinds of updates that the daemon compares with a line, as JSON strings with their quotes.
package enum UpdateKind {
    package static let commands = Array("\"available_commands_update\"".utf8)
    package static let mode = Array("\"current_mode_update\"".utf8)
    package static let notice = Array("\"notice\"".utf8)
    package static let options = Array("\"config_option_update\"".utf8)
    /// With this update, an agent of version 2 ends the repetition of a history before its answer.
    package static let replayComplete = Array("\"replay_complete\"".utf8)
    package static let state = Array("\"state_update\"".utf8)
    package static let subagent = Array("\"subagent_update\"".utf8)
    package static let terminal = Array("\"terminal_update\"".utf8)
    package static let title = Array("\"session_info_update\"".utf8)
    package static let toolCall = Array("\"tool_call_update\"".utf8)
    package static let usage = Array("\"usage_update\"".utf8)
    package static let userMessage = Array("\"user_message\"".utf8)
    package static let userMessageChunk = Array("\"user_message_chunk\"".utf8)

    /// Returns true if the line is an update of one of these kinds.
    ///
    /// - Parameter envelope: The envelope of the line.
    package static func isOne(of kinds: [[UInt8]], _ line: Span<UInt8>, _ envelope: Envelope) -> Bool {
        guard let range = envelope.updateKind else { return false }
        let kind = line.extracting(range)
        for name in kinds where kind.isEqual(to: name) { return true }
        return false
    }
}
