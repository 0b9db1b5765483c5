import BridgeRequests
import TerminalIO
import TerminalText

/// How a person continues a session that has ended.
extension ListedSession {
    /// The rest of a sentence about the end of the session; empty if it cannot be continued alone.
    package var continuation: TerminalText {
        parentId == nil ? "; `acpbridge run --resume \(Table.cell(id))` continues it" : ""
    }

    /// Names the command at a terminal that has shown the end of the session.
    package func reportEnd() {
        Console.reportDone("acpbridge: the session has ended\(continuation)")
    }
}
