import JSONRPC

/// A script that runs in a session, beside others.
struct Activity {
    enum Role: Equatable {
        /// The turn that the client sees as the session's state.
        case turn
        /// Part of the turn, which waits for it.
        case child
        /// Independent of turns.
        case background(BackgroundItem)
        /// Sends nothing of its own: it repeats states, or begins turns.
        case timer
    }

    /// The event that the script waits for.
    enum Wait: Equatable {
        /// A time in the past means at once.
        case time(Duration)
        case answer(RequestID, withdrawsAt: Duration?)
        /// The request was withdrawn. The client still owes a response, which the agent awaits for a limited time.
        case withdrawn(RequestID, givesUpAt: Duration)
        /// The scripts that this one launched.
        case children
    }

    /// The agent awaits the response to a withdrawn request for 10 seconds.
    static let withdrawalLimit = Duration.seconds(10)

    let number: Int
    let role: Role
    /// The activity that launched this one; nil for a turn.
    let launcher: Int?
    var script: Script
    var wait: Wait
    /// The pending question; its answer is read by its kind.
    var question: Question?
    var chunkLine: ChunkLine?

    /// The time at which the activity continues by itself.
    var wake: Duration? {
        switch wait {
        case .time(let time), .withdrawn(_, let time): time
        case .answer(_, let withdrawsAt): withdrawsAt
        case .children: nil
        }
    }

    var flushesEachLine: Bool { script.flushesEachLine }

    var askID: RequestID? {
        switch wait {
        case .answer(let id, _), .withdrawn(let id, _): id
        case .time, .children: nil
        }
    }

    /// The steps with which a cancelled script ends: its session becomes idle.
    var lastSteps: [Step] {
        switch role {
        case .background(.subagent), .child, .turn: [.state(.idle(.stopped("cancelled")))]
        case .background, .timer: []
        }
    }

    /// The answer to a request that was withdrawn is not read.
    func answer(_ outcome: Message.Outcome) -> Question.Answer {
        guard case .answer = wait else { return .declined }
        return question?.answer(outcome) ?? .declined
    }

    /// Counts from the time at which the script was due, so that delays do not add up. After the process was
    /// stopped, it does not catch up.
    mutating func pause(_ duration: Duration, now: Duration) {
        guard case .time(let time) = wait else { return }
        wait = .time(max(time + duration, now))
    }
}
