/// One step of ending a process, and the time to wait for its effect.
package struct TeardownStep: Equatable, Sendable {
    package enum Measure: Equatable, Sendable {
        case closeInput
        case signalGroup(Int32)
        /// Only wait, because something was already done.
        case wait
    }

    package let measure: Measure
    package let patience: Duration

    package init(_ measure: Measure, patience: Duration) {
        self.measure = measure
        self.patience = patience
    }
}

/// The steps that end an agent. Each step is performed if the previous one had no effect in its time.
///
/// Pure: it receives events and returns actions. The last step is always SIGKILL, which cannot be ignored.
package struct TeardownLadder: Sendable {
    package enum Action: Equatable, Sendable {
        case perform(TeardownStep.Measure, thenWait: Duration)
        /// No action is left: the process has ended, or all steps are done.
        case rest
    }

    private enum State {
        case idle
        case climbing(next: Int)
        case ended
    }

    private let steps: [TeardownStep]
    private var state = State.idle

    package init(steps: [TeardownStep]) { self.steps = steps }

    /// Starts the first step. Returns `rest` if the ladder has already started.
    package mutating func begin() -> Action {
        guard case .idle = state else { return .rest }
        return climb(to: 0)
    }

    /// Call when the waiting time of the last step is over.
    package mutating func waitEnded() -> Action {
        guard case .climbing(let next) = state else { return .rest }
        return climb(to: next)
    }

    package mutating func processEnded() { state = .ended }

    private mutating func climb(to index: Int) -> Action {
        guard index < steps.count else { return .rest }
        state = .climbing(next: index + 1)
        return .perform(steps[index].measure, thenWait: steps[index].patience)
    }
}
