import ACPRouting
import JSONScan

/// The kinds of updates that matter while an agent repeats a session's history.
enum UpdateKind {
    /// The kinds that are never history, in the spelling of JSON: version 2 repeats neither.
    private static let neverRepeated = ["state_update", "notice"].map { Array("\"\($0)\"".utf8) }

    private static let replayComplete = Array("\"replay_complete\"".utf8)

    static func isNeverRepeated(_ line: Span<UInt8>, _ envelope: Envelope) -> Bool {
        guard let range = envelope.updateKind else { return false }
        return neverRepeated.contains { line.extracting(range).isEqual(to: $0) }
    }

    /// True for the update with which an agent of version 2 ends the repetition before its answer.
    static func endsReplay(_ line: Span<UInt8>, _ envelope: Envelope) -> Bool {
        envelope.updateKind.map { line.extracting($0).isEqual(to: replayComplete) } ?? false
    }
}
