import BridgeRequests
import Synchronization
import TerminalIO
import TerminalText

/// The names at the beginnings of lines, if conversations of several sessions are printed as one stream.
final class SessionLabels: Sendable {
    private struct State {
        /// The width of the names, in columns.
        var width = 0
        /// By the session's key. About 100 bytes for each session since the command has begun.
        var labels: [String: TerminalText] = [:]
        var keys: [String: String] = [:]
    }

    /// 24 columns. The conversation needs the rest of the line.
    private static let widthLimit = 24
    private static let styles: [TerminalText.Style] = [.cyan, .yellow, .green, .magenta, .blue]

    private let state = Mutex(State())
    private let hasColour: Bool

    /// - Parameter sessions: The names of later sessions are aligned with the names of these, if they are not longer.
    init(_ sessions: [ListedSession], hasColour: Bool) {
        self.hasColour = hasColour
        state.withLock { state in
            var names: [(session: ListedSession, name: String)] = []
            for session in sessions { names.append((session, Self.name(of: session, &state))) }
            for (session, name) in names { add(name, of: session, &state) }
        }
    }

    /// - Returns: The session's name with a line after it, `shop  | `.
    func label(of session: ListedSession) -> TerminalText {
        state.withLock { state in
            if let known = state.labels[session.key] { return known }
            let name = Self.name(of: session, &state)
            return add(name, of: session, &state)
        }
    }

    /// The session's title, or its id if another session has this title.
    private static func name(of session: ListedSession, _ state: inout State) -> String {
        var name = Table.cell(session.name, limit: widthLimit - 1)
        if let other = state.keys[name], other != session.key {
            // The ends of ids that are too long are more different than their beginnings.
            name = String(TerminalFilter.oneLine(session.id).suffix(widthLimit))
        }
        state.keys[name] = session.key
        state.width = max(state.width, Table.width(name))
        return name
    }

    @discardableResult
    private func add(_ name: String, of session: ListedSession, _ state: inout State) -> TerminalText {
        let style = Self.styles[state.labels.count % Self.styles.count]
        let spaces = String(repeating: " ", count: max(0, state.width - Table.width(name)))
        let shown: TerminalText = "\(name)\(spaces) |"
        let label = (hasColour ? shown.styled(style) : shown) + " "
        state.labels[session.key] = label
        return label
    }
}
