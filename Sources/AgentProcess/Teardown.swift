/// One step of ending a process, and how long to wait for it to work.
public struct TeardownStep: Equatable, Sendable {
    public enum Measure: Equatable, Sendable {
        case closeInput
        case signalGroup(Int32)
        /// Something was done already.
        case wait
    }

    public let measure: Measure
    public let patience: Duration

    public init(_ measure: Measure, patience: Duration) {
        self.measure = measure
        self.patience = patience
    }
}

/// The ladder by which an agent is ended: each step is tried when the one before it has not worked in its time.
///
/// Pure: it is told what happened and says what to do. It always ends with SIGKILL, which cannot be ignored.
public struct TeardownLadder: Sendable {
    public enum Action: Equatable, Sendable {
        case take(TeardownStep.Measure, thenWait: Duration)
        /// Nothing more to do: the process has ended, or the ladder is done.
        case rest
    }

    private enum State {
        case idle
        case climbing(next: Int)
        case ended
    }

    private let steps: [TeardownStep]
    private var state = State.idle

    public init(steps: [TeardownStep]) { self.steps = steps }

    public var isClimbing: Bool { if case .climbing = state { true } else { false } }

    /// Starts the ladder; while it is being climbed, nothing.
    public mutating func begin() -> Action {
        guard case .idle = state else { return .rest }
        return climb(to: 0)
    }

    /// The patience of the last step is over.
    public mutating func patienceRanOut() -> Action {
        guard case .climbing(let next) = state else { return .rest }
        return climb(to: next)
    }

    public mutating func processEnded() { state = .ended }

    private mutating func climb(to index: Int) -> Action {
        guard index < steps.count else { return .rest }
        state = .climbing(next: index + 1)
        return .take(steps[index].measure, thenWait: steps[index].patience)
    }
}
