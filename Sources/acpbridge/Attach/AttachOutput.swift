import Synchronization
import TerminalText
import TinyvexSync

/// What is followed, on its way to a printer; and what is said and asked beside it on the same terminal.
final class AttachOutput: Sendable {
    private struct State {
        var printer: any AttachPrinter
        /// The last number that was printed, passed over or skipped.
        var position: Int64 = 0
        /// The last that was stored when the present connection subscribed.
        var head = Int64.max
        /// Told of the first subscription.
        var whenOpened: (@Sendable () -> Void)?
        /// What stands on the terminal's last line, waiting for words to be typed behind it.
        var question: TerminalText?
    }

    private let state: Mutex<State>
    private let follows: Bool

    /// - Parameter whenOpened: called once, when the bridge has taken the subscription up: it will miss nothing any more.
    init(_ printer: any AttachPrinter, follows: Bool, whenOpened: (@Sendable () -> Void)? = nil) {
        state = Mutex(State(printer: printer, whenOpened: whenOpened))
        self.follows = follows
    }

    /// Where one turn is printed: how it stands.
    var turn: TurnWatch? { state.withLock { ($0.printer as? TurnPrinter)?.turn } }

    /// Everything that was stored when the present connection subscribed has been shown.
    var isCaughtUp: Bool { state.withLock { $0.position >= $0.head } }

    /// True when there is nothing more to show.
    func show(_ pieces: [StreamPiece]) throws -> Bool {
        try state.withLock { state in
            try Self.removeQuestion(&state)
            for piece in pieces {
                let isLast = try show(piece, &state)
                if isLast || state.printer.hasEnough || (!follows && state.position >= state.head) {
                    try state.printer.flush()
                    return true
                }
            }
            try state.printer.flush()
            try Self.putQuestion(&state)
            return false
        }
    }

    // MARK: Beside it

    /// To the person, between what is printed.
    func say(_ line: TerminalText) throws {
        try state.withLock { state in
            try Self.removeQuestion(&state)
            try Self.say(line, &state)
            try Self.putQuestion(&state)
        }
    }

    /// Stands below all that is printed, until another takes its place or it is ended.
    func ask(_ question: TerminalText) throws {
        try state.withLock { state in
            try Self.removeQuestion(&state)
            state.question = question
            try Self.putQuestion(&state)
        }
    }

    /// - Parameter isAnswered: the person has ended the line, by Enter.
    func endQuestion(isAnswered: Bool) throws {
        try state.withLock { state in
            if !isAnswered { try Self.removeQuestion(&state) }
            state.question = nil
        }
    }

    private static func putQuestion(_ state: inout State) throws {
        guard let question = state.question else { return }
        try state.printer.breakOff()
        try Console.show(question)
    }

    /// What was typed behind it goes from the screen, not from the terminal's memory.
    private static func removeQuestion(_ state: inout State) throws {
        if state.question != nil { try Console.show("\r\u{1b}[K") }
    }

    private static func say(_ line: TerminalText, _ state: inout State) throws {
        try state.printer.breakOff()
        Console.say(line)
    }

    // MARK: Pieces

    private func show(_ piece: StreamPiece, _ state: inout State) throws -> Bool {
        switch piece {
        case .opened(let opening):
            state.position = opening.nextSeq - 1
            state.head = opening.headSeq
            state.whenOpened.take()?()
        case .lines(let run): try print(run, &state)
        case .skipped(let from, let to, let reason):
            state.position = to
            try state.printer.skipped(from...max(from, to), reason)
        case .restarted(let next):
            state.position = next - 1
            try Self.say("acpbridge: the bridge's log is another one now; it goes on with number \(next)", &state)
        // Which updates they are is said as they are left out.
        case .notice(code: "TVX005", _): break
        case .notice(let code, let message):
            try Self.say("acpbridge: \(message)\(code.isEmpty ? "" : " (\(code))")", &state)
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
        }
    }
}
