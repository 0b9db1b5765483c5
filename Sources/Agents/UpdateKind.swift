import ACPRouting
import JSONScan

/// The kinds of updates that matter while an agent repeats a session's history.
enum UpdateKind {
    /// The kinds that show what is true now, in the spelling of JSON. An agent sends them when it has opened a session,
    /// and they are never history.
    private static let states = [
        "current_mode_update", "available_commands_update", "usage_update", "config_option_update",
        "session_info_update", "state_update", "notice",
    ].map { Array("\"\($0)\"".utf8) }

    private static let replayComplete = Array("\"replay_complete\"".utf8)

    static func showsState(_ line: Span<UInt8>, _ envelope: Envelope) -> Bool {
        guard let range = envelope.updateKind else { return false }
        return states.contains { line.extracting(range).isEqual(to: $0) }
    }

    /// True for the update with which an agent of version 2 ends the repetition before its answer.
    static func endsReplay(_ line: Span<UInt8>, _ envelope: Envelope) -> Bool {
        envelope.updateKind.map { line.extracting($0).isEqual(to: replayComplete) } ?? false
    }
}
