import Synchronization
import TinyvexSync

/// What is followed, on its way to a printer; and what is said beside it on the same terminal.
final class AttachOutput: Sendable {
    private struct State {
        var printer: any AttachPrinter
        /// The last number that was printed, passed over or skipped.
        var position: Int64 = 0
        /// The last that was stored when the present connection subscribed.
        var head = Int64.max
        /// Told of the first subscription.
        var whenOpened: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>
    private let follows: Bool

    /// - Parameter whenOpened: called once, when the bridge has taken the subscription up: it will miss nothing any more.
    init(_ printer: any AttachPrinter, follows: Bool, whenOpened: (@Sendable () -> Void)? = nil) {
        state = Mutex(State(printer: printer, whenOpened: whenOpened))
        self.follows = follows
    }

    /// True when there is nothing more to show.
    func show(_ pieces: [StreamPiece]) throws -> Bool {
        try state.withLock { state in
            for piece in pieces {
                let isLast = try show(piece, &state)
                if isLast || state.printer.hasEnough || (!follows && state.position >= state.head) {
                    try state.printer.flush()
                    return true
                }
            }
            try state.printer.flush()
            return false
        }
    }

    /// Where one turn is printed: how it stands.
    var turn: TurnWatch? { state.withLock { ($0.printer as? TurnPrinter)?.turn } }

    /// To the person, between what is printed.
    func say(_ line: String) throws { try state.withLock { try Self.say(line, &$0) } }

    private static func say(_ line: String, _ state: inout State) throws {
        try state.printer.breakOff()
        Console.say(line)
    }

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
