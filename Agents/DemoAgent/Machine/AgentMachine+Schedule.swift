/// The order in which turns and scripts run.
extension AgentMachine {
    private enum Work {
        /// The turn of version 1.
        case turn
        case activity(Int)
    }

    /// Runs all work that is due, until there is enough output for one write.
    mutating func advance(to time: Duration) {
        now = time
        let due = sessions.indices.flatMap { index in dueWork(of: sessions[index]).map { (index, $0) } }
        for (position, (index, work)) in due.enumerated() {
            // The remaining space is shared, so that one fast turn does not delay the others.
            let share = max(0, Self.outputLimitBytes - output.count) / (due.count - position)
            switch work {
            case .turn: runTurn(index, limitBytes: output.count + share)
            case .activity(let number): run(number, in: index, limitBytes: output.count + share)
            }
        }
    }

    /// The time at which the next work continues; nil if all work waits for the client, or if there is none.
    var wake: Duration? {
        sessions.compactMap { session in
            (session.work.activities.map(\.wake) + [session.running?.nextTime]).compactMap { $0 }.min()
        }.min()
    }

    private func dueWork(of session: Session) -> [Work] {
        let turn = session.running?.nextTime.map { $0 <= now } == true ? [Work.turn] : []
        let due = session.work.activities.filter { $0.wake.map { $0 <= now } == true }
        return turn + due.map { .activity($0.number) }
    }
}
