import SessionRecords

/// Decides what happens to the updates that an agent writes while it repeats a session's history, which is until its
/// answer to `session/load`. Pure.
///
/// The lines are compared with the log (``ReplayMatcher``), so the log is read first.
package struct ReplayMachine {
    /// The decision about a line.
    package enum Verdict: Equatable {
        case store
        case discard
        /// It depends on whether the log has a history. The answer to the claim shows that.
        case awaitClaim
        /// It depends on lines that are not read or not written yet.
        case awaitHistory
    }

    private enum Comparison {
        case none
        /// The history must be read, after the lines before the repetition are stored.
        case due
        case reading(StoredHistory)
        case matching(ReplayMatcher)
    }

    /// True if this session had updates before the agent began to repeat them; nil until the log has answered.
    package var hasHistory: Bool?
    private var comparison = Comparison.none
    /// The agent has finished before the history was read.
    private var hasEnded = false
    /// The agent did not have the session open.
    private var isNewlyOpened = false

    package init() {}

    /// Call when the agent is about to repeat the history.
    package mutating func begin(isNewlyOpened: Bool) {
        comparison = .due
        self.isNewlyOpened = isNewlyOpened
        hasEnded = false
    }

    /// True if the history must be read and the read has not begun.
    package var isDue: Bool { if case .due = comparison { true } else { false } }

    /// True while the history is read.
    package var isReading: Bool { if case .reading = comparison { true } else { false } }

    /// Call when the read of the history begins.
    package mutating func startReading() { comparison = .reading(StoredHistory()) }

    /// Adds a page of the history.
    package mutating func read(_ items: [TimelineItem]) {
        guard case .reading(var history) = comparison else { return }
        comparison = .none
        history.add(items)
        comparison = .reading(history)
    }

    /// Call when the whole history has been read. The lines that wait for it can be judged then. After a failed read
    /// nothing is known to be repeated.
    package mutating func readAll() {
        guard case .reading(let history) = comparison else { return }
        comparison = .matching(ReplayMatcher(history, hasOnlyHistory: isNewlyOpened))
    }

    /// Judges a line that the agent has written.
    ///
    /// - Returns: the verdict on the line. `earlierAreRepeated` is the verdict on the lines that waited for this one; nil if they
    ///   still wait.
    package mutating func judge(_ line: Span<UInt8>) -> (earlierAreRepeated: Bool?, verdict: Verdict) {
        switch comparison {
        case .none: return (nil, hasHistory == true ? .discard : hasHistory == nil ? .awaitClaim : .store)
        case .due, .reading: return (nil, .awaitHistory)
        case .matching(var matcher):
            comparison = .none
            let judgement = matcher.judge(line)
            comparison = .matching(matcher)
            switch judgement.verdict {
            case .isNew: return (judgement.earlier, .store)
            case .isRepeated: return (judgement.earlier, .discard)
            case .isUndecided: return (judgement.earlier, .awaitHistory)
            }
        }
    }

    /// Call when the agent has answered, and after ``readAll()``. Returns nil if the history is not read yet.
    package mutating func end(afterReading: Bool = false) -> ReplayMatcher.End? {
        if afterReading, !hasEnded { return nil }
        switch comparison {
        case .none: return nil
        case .due, .reading:
            hasEnded = true
            return nil
        case .matching(var matcher):
            comparison = .none
            return matcher.finish()
        }
    }

    /// Takes undecided lines as new, because an entry of the timeline follows them. Returns false if there are none.
    package mutating func giveUp() -> Bool {
        guard case .matching(var matcher) = comparison else { return false }
        defer { comparison = .matching(matcher) }
        return matcher.giveUp()
    }
}
