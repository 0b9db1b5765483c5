/// Decides line by line whether an agent that repeats a session's history writes something that the log already has.
/// The agent can be at work meanwhile, so new updates can come between the repeated ones. Pure.
///
/// A text is repeated if a stored message has it at the place that the repetition has reached, or if a later stored
/// message begins with it (``MessageStarts`` has a limit). It stays undecided until a whole stored message was repeated: a
/// new message can begin with the same word.
///
/// A state, such as a mode, is repeated if the log has the same state at or after the place that the repetition has
/// reached. If the last state of a kind is then not the newest of the log, it is stored at the end: it is true now.
///
/// An agent that has just opened the session can have no new messages. Whatever it writes is repeated if the log has a
/// history, even if the agent has another form of it, except states.
package struct ReplayMatcher {
    enum Verdict: Equatable {
        case isNew
        case isRepeated
        /// The next lines decide.
        case isUndecided
    }

    struct Judgement: Equatable {
        /// The verdict on the lines that were undecided before. Nil if they stay undecided.
        var earlier: Bool?
        var verdict: Verdict

        /// - Parameter earlier: True if the undecided lines are repeated.
        init(_ verdict: Verdict, earlierAreRepeated earlier: Bool? = nil) {
            self.verdict = verdict
            self.earlier = earlier
        }
    }

    /// The decisions at the end of the repetition.
    package struct End: Equatable {
        /// True if the undecided lines are repeated.
        package var areRepeated = false
        /// Lines with states that were taken for repeated ones and must be stored.
        package var states: [[UInt8]] = []
    }

    /// The lines that are undecided.
    private struct Undecided {
        let speaker: RepeatableUpdate.Speaker
        /// Texts of the same speaker since then that do not continue the stored message.
        var strayTexts = 0
        var byteCount: Int
    }

    private let history: StoredHistory
    /// The places that the repetition has reached in the texts.
    private var places: [RepeatableUpdate.Speaker: Int] = [:]
    private var undecided: Undecided?
    private var starts: [RepeatableUpdate.Speaker: MessageStarts] = [:]
    private var states = RepeatedStates()
    /// True if the agent has just opened the session.
    private let hasOnlyHistory: Bool

    /// After so many texts that do not continue the stored message, its repeated beginning was a new message.
    private static let strayLimit = 8
    /// 1 MiB. Undecided lines and the lines after them are not stored, so they must not wait for long.
    private static let undecidedLimitBytes = 1 << 20

    init(_ history: StoredHistory, hasOnlyHistory: Bool = false) {
        self.history = history
        self.hasOnlyHistory = hasOnlyHistory && !history.isEmpty
    }

    mutating func judge(_ line: Span<UInt8>) -> Judgement {
        undecided?.byteCount += line.count
        if let undecided, undecided.byteCount > Self.undecidedLimitBytes {
            self.undecided = nil
            return Judgement(judge(line).verdict, earlierAreRepeated: false)
        }
        switch RepeatableUpdate(line) {
        case .state(let kind, let hash):
            return Judgement(states.repeats(line, kind, hash, history) ? .isRepeated : .isNew)
        case _ where hasOnlyHistory: return Judgement(.isRepeated)
        case nil: return Judgement(.isNew)
        case .echo: return Judgement(history.isEmpty ? .isNew : .isRepeated)
        case .other(let hash): return Judgement(history.holds(hash) || history.isIncomplete ? .isRepeated : .isNew)
        case .toolCall(let id, let members, let hash):
            return Judgement(
                history.holds(call: id, members, hash) || history.isIncomplete ? .isRepeated : .isNew)
        case .text(let speaker, let text): return judge(text, of: speaker, lineBytes: line.count)
        }
    }

    /// Ends the repetition. The undecided lines are repeated if the agent has repeated the beginning of the newest
    /// message, which it may not have recorded whole.
    mutating func finish() -> End {
        var end = End(states: states.newest)
        guard let speaker = undecided.take()?.speaker, let texts = history.texts[speaker] else { return end }
        end.areRepeated = texts.firstStart(after: places[speaker] ?? 0) == texts.starts.count
        return end
    }

    private mutating func judge(
        _ text: [UInt8], of speaker: RepeatableUpdate.Speaker, lineBytes: Int
    ) -> Judgement {
        guard let texts = history.texts[speaker], !text.isEmpty, let start = start(of: text, in: texts, speaker) else {
            return stray(speaker)
        }
        let place = places[speaker] ?? 0
        // A repetition that begins elsewhere shows that the undecided lines were not one.
        let isContinued = undecided?.speaker == speaker && start == place
        let earlier: Bool? = undecided == nil || isContinued ? nil : false
        if !isContinued { undecided = nil }
        places[speaker] = start + text.count
        if texts.isEnd(start + text.count) {
            undecided = nil
            return Judgement(.isRepeated, earlierAreRepeated: isContinued ? true : earlier)
        }
        if undecided == nil { undecided = Undecided(speaker: speaker, byteCount: lineBytes) }
        return Judgement(.isUndecided, earlierAreRepeated: earlier)
    }

    /// The place where the repetition continues with this text.
    private mutating func start(of text: [UInt8], in texts: StoredHistory.Texts, _ speaker: RepeatableUpdate.Speaker)
        -> Int?
    {
        let place = places[speaker] ?? 0
        if texts.holds(text, at: place) { return place }
        return starts[speaker, default: MessageStarts()].first(after: place, text, in: texts)
    }

    private mutating func stray(_ speaker: RepeatableUpdate.Speaker) -> Judgement {
        if history.isIncomplete { return Judgement(.isRepeated) }
        guard undecided?.speaker == speaker else { return Judgement(.isNew) }
        undecided?.strayTexts += 1
        guard let undecided, undecided.strayTexts >= Self.strayLimit else { return Judgement(.isNew) }
        self.undecided = nil
        return Judgement(.isNew, earlierAreRepeated: false)
    }

    /// Takes the undecided lines as new, because something else must not wait for them. Returns false if there are none.
    mutating func giveUp() -> Bool { undecided.take() != nil }
}

/// The states that an agent has repeated, by kind. Pure.
private struct RepeatedStates {
    private var places: [String: Int] = [:]
    /// The last repeated line of each kind, unless the log's newest state of that kind is the same.
    private var stale: [String: [UInt8]] = [:]

    var newest: [[UInt8]] { stale.sorted { $0.key < $1.key }.map(\.value) }

    mutating func repeats(_ line: Span<UInt8>, _ kind: String, _ hash: Int, _ history: StoredHistory) -> Bool {
        stale[kind] = nil
        let stored = history.states[kind] ?? []
        guard let index = stored[min(places[kind] ?? 0, stored.count)...].firstIndex(of: hash) else { return false }
        places[kind] = index + 1
        if index + 1 < stored.count { stale[kind] = line.withUnsafeBufferPointer { Array($0) } }
        return true
    }
}
