import Glibc
import Synchronization
import TerminalIO
import TerminalText
import TinyvexMachine

/// Passes a followed stream to a printer, and shows messages and questions between its lines on the same terminal.
package final class AttachOutput: Sendable {
    private struct State {
        var printer: any AttachPrinter
        /// The last number that was printed, filtered out or skipped.
        var position: Int64 = 0
        /// The last number that was stored when the current connection subscribed.
        var head = Int64.max
        /// The bridge cannot store updates, and sends them later.
        var isStorageFailing = false
        /// Messages that wait for the end of the line. At most 16; then all are shown at once.
        var notices: [TerminalText] = []
        /// Called after the first subscription.
        var whenOpened: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>
    /// False if the output ends with the last stored entry.
    let follows: Bool
    /// The session's name, for messages among those of other sessions.
    private let label: String?
    /// The question below the output, after which the user types the answer.
    package let input = TerminalInput()

    /// - Parameters:
    ///   - label: Names the session in messages, if several are printed.
    ///   - whenOpened: called once, when the bridge has opened the subscription. From then on no update is missed.
    package init(
        _ printer: any AttachPrinter, follows: Bool, label: String? = nil, whenOpened: (@Sendable () -> Void)? = nil
    ) {
        self.label = label
        state = Mutex(State(printer: printer, whenOpened: whenOpened))
        self.follows = follows
    }

    /// The state of the turn, if a single turn is printed.
    package var turn: TurnWatch? { state.withLock { ($0.printer as? TurnPrinter)?.turn } }

    /// Passes the bridge's answer to the prompt, if a single turn is printed.
    ///
    /// - Parameter message: The id of the prompt's message; nil if the answer was lost.
    package func answered(message: String?) {
        state.withLock { state in
            guard var printer = state.printer as? TurnPrinter else { return }
            if let message { printer.inserted(as: message) } else { printer.answerLost() }
            state.printer = printer
        }
    }

    /// True if the bridge has reported that it cannot store updates, and no update has come since.
    package var isStorageFailing: Bool { state.withLock { $0.isStorageFailing } }

    /// The last number that was printed, filtered out or skipped.
    var position: Int64 { state.withLock { $0.position } }

    /// All updates that were stored when the current connection subscribed have been shown.
    package var isCaughtUp: Bool { state.withLock { $0.position >= $0.head } }

    /// Returns true when there is nothing more to show.
    func show(_ pieces: [StreamPiece]) throws -> Bool {
        try state.withLock { state in
            try input.hide()
            for piece in pieces {
                let isLast = try show(piece, &state)
                if isLast || state.printer.hasEnough || (!follows && state.position >= state.head) {
                    // The output can end in the middle of a message.
                    try state.printer.endLines(of: nil)
                    showNotices(&state)
                    return true
                }
            }
            try state.printer.flush()
            try showQuestion(&state)
            return false
        }
    }

    /// Shows the entries of a subagent's timeline, except the starts and ends of its agent, which the session's own
    /// timeline has.
    ///
    /// - Parameter part: Entries before it are left out, or only noted.
    func show(subagent pieces: [StreamPiece], _ part: SubagentPart) throws {
        try state.withLock { state in
            guard !state.printer.hasEnough else { return }
            try input.hide()
            for case .lines(let run) in pieces {
                for index in 0..<run.count {
                    guard let entry = TimelineValue(run[index]), entry.isOfSubagent(since: part.announced) else {
                        continue
                    }
                    if entry.time < part.shown {
                        state.printer.hide(run[index])
                    } else {
                        try state.printer.print(run[index], seq: state.position)
                    }
                }
            }
            try state.printer.flush()
            try showQuestion(&state)
        }
    }

    /// Call when the subagent's timeline has been shown.
    func end(subagent: String) throws {
        try state.withLock { state in
            try input.hide()
            try state.printer.endLines(of: subagent)
            try showQuestion(&state)
        }
    }

    // MARK: Messages and questions

    /// Shows a message to the user between the printed lines.
    package func report(_ line: TerminalText) throws {
        try state.withLock { state in
            try input.hide()
            try report(line, &state)
            try showQuestion(&state)
        }
    }

    private static let noticeLimit = 16

    /// Shows a message that is not urgent: after the unfinished line, so that it is not in the middle of an agent's sentence.
    package func reportAtLineEnd(_ line: TerminalText) throws {
        try state.withLock { state in
            state.notices.append(line)
            guard state.printer.openLine.isEmpty || state.notices.count >= Self.noticeLimit else { return }
            try input.hide()
            try endLine(&state)
            try showQuestion(&state)
        }
    }

    /// Shows a question below all printed lines until another question replaces it, the user answers it, or `endQuestion`
    /// removes it.
    ///
    /// - Parameter waitsForText: The question is shown only while text is typed.
    package func ask(_ question: TerminalText, waitsForText: Bool = false) throws {
        try state.withLock { state in
            try input.hide()
            if waitsForText { try state.printer.flush() } else { try endLine(&state) }
            try input.ask(question, waitsForText: waitsForText, below: state.printer.openLine)
        }
    }

    /// Shows a row above the question, and alone while nothing is asked. Empty: none.
    package func show(status: TerminalText) throws { try state.withLock { _ in try input.set(status: status) } }

    /// - Parameter isAnswered: the user ended the line with Enter.
    package func endQuestion(isAnswered: Bool) throws { try input.endQuestion(isAnswered: isAnswered) }

    private func showQuestion(_ state: inout State) throws {
        if input.isAsking { try endLine(&state) }
        try input.show(below: state.printer.openLine)
    }

    private var labelled: TerminalText { label.map { "\(Table.cell($0)): " } ?? "" }

    private func report(_ line: TerminalText, _ state: inout State) throws {
        try endLine(&state)
        Console.report(line)
    }

    private func endLine(_ state: inout State) throws {
        try state.printer.endLine()
        showNotices(&state)
    }

    /// Call when no line is unfinished.
    private func showNotices(_ state: inout State) {
        for notice in state.notices { Console.report(notice) }
        state.notices = []
    }

    // MARK: Pieces

    private func show(_ piece: StreamPiece, _ state: inout State) throws -> Bool {
        switch piece {
        case .opened(let opening):
            state.position = opening.nextSeq - 1
            state.head = opening.headSeq
            state.whenOpened.take()?()
        case .lines(let run):
            state.isStorageFailing = false
            try print(run, &state)
        case .skipped(let from, let to, let reason):
            state.position = to
            try state.printer.skipped(from...max(from, to), reason)
        case .restarted(let next):
            state.position = next - 1
            let reason: TerminalText =
                state.head == .max ? "nothing later is stored yet" : "the bridge has a different log now"
            try report("acpbridge: \(labelled)\(reason); output continues with number \(next)", &state)
        // The skipped updates are reported one by one when they are left out.
        case .notice(code: "TVX005", _): break
        case .notice(let code, let message):
            if piece.isStorageFailure { state.isStorageFailing = true }
            try report("acpbridge: \(labelled)\(message)\(code.isEmpty ? "" : " (\(code))")", &state)
        case .ended(_, let end):
            try state.printer.sessionEnded(end.reason)
            return true
        }
        return false
    }

    private func print(_ run: LineRun, _ state: inout State) throws {
        for index in 0..<run.count {
            guard follows || state.position < state.head else { return }
            state.position = run.firstSeq + Int64(index)
            try state.printer.print(run[index], seq: state.position)
            guard !state.notices.isEmpty, state.printer.openLine.isEmpty else { continue }
            try state.printer.flush()
            showNotices(&state)
        }
    }
}
