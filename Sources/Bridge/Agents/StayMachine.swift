/// How long an agent goes on without its editor.
public enum StayPolicy: Sendable, Equatable, Codable {
    /// Until the turn that runs has ended and the others have gone, and this long after that. With `.zero` it ends with
    /// its editor whatever it does.
    case linger(Duration)
    /// Until it is told to end.
    case keep

    /// How long the agent waits for a client to take its editor's place, before what only that can do is refused.
    var patience: Duration {
        if case .linger(let time) = self { time } else { Self.standardTime }
    }

    private static let standardTime = Duration.seconds(600)

    /// Ten minutes: long enough to open the editor again, short enough that nothing is left running over night.
    public static let standard = StayPolicy.linger(standardTime)
}

/// Decides whether an agent goes on. Pure: it is told what is so, and says what is to be done.
struct StayMachine: Codable {
    enum Verdict: Equatable {
        case stay
        /// The agent is told that no more will come; it ends as it would without us.
        case closeInput
        /// The editor has closed its input: it is let go, the agent goes on.
        case detachEditor
        /// Unless something changes before.
        case end(after: Duration)
    }

    let policy: StayPolicy
    /// The editor, or the client that has come in its place.
    var hasEditor = true {
        didSet { if oldValue != hasEditor { wasLeftAlone = !hasEditor && !isBusy } }
    }
    /// The editor has closed its end of the input.
    var inputHasEnded = false
    var hasTurn = false
    /// Others than the editor work with the agent.
    var hasGuests = false {
        didSet { if hasGuests { wasLeftAlone = false } }
    }
    /// It was idle and nobody else was there when the editor went: nobody will miss it.
    private var wasLeftAlone = false

    init(policy: StayPolicy) { self.policy = policy }

    private var isBusy: Bool { hasTurn || hasGuests }

    /// Whether the agent goes on should the editor go now.
    var outlivesEditor: Bool {
        switch policy {
        case .keep: true
        case .linger(let time): time > .zero && isBusy
        }
    }

    var verdict: Verdict { hasEditor ? verdictWithEditor : verdictWithout }

    private var verdictWithEditor: Verdict {
        guard inputHasEnded else { return .stay }
        if hasTurn, outlivesEditor { return .stay }
        return policy == .keep ? .detachEditor : .closeInput
    }

    private var verdictWithout: Verdict {
        guard case .linger(let time) = policy else { return .stay }
        if time > .zero, isBusy { return .stay }
        return .end(after: wasLeftAlone ? .zero : time)
    }
}
