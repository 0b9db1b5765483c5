/// How long an agent continues without its editor.
package enum LingerPolicy: Sendable, Equatable, Codable {
    /// The agent ends this long after the running turn has ended and the other clients have gone. With `.zero` it ends
    /// with its editor, even during a turn.
    case linger(Duration)
    /// The agent continues until it is ended on request.
    case keep

    /// The time to wait for a client that replaces the editor. After it, requests that need such a client are refused.
    var patience: Duration {
        if case .linger(let time) = self { time } else { Self.standardTime }
    }

    private static let standardTime = Duration.seconds(600)

    /// Ten minutes: long enough to open the editor again, and short enough that no agent is left running overnight.
    package static let standard = LingerPolicy.linger(standardTime)
}

/// Decides whether an agent continues. Pure: it receives the current facts and returns a verdict.
struct LifetimeMachine: Codable {
    enum Verdict: Equatable {
        case stay
        /// Close the agent's input; the agent then ends as it would without the bridge.
        case closeInput
        /// The editor has closed its input and has all its answers. Detach it and let the agent continue.
        case detachEditor
        /// End after this time, unless something changes before.
        case end(after: Duration)
    }

    private(set) var policy: LingerPolicy
    /// True while the editor, or the client that replaced it, is attached.
    var hasEditor = true {
        didSet {
            if hasEditor { restHasLapsed = false }
            if oldValue != hasEditor { wasLeftAlone = !hasEditor && !isBusy }
        }
    }
    /// The editor has closed its end of the input.
    var inputHasEnded = false
    /// The editor has closed its end of the input, and the agent has waited for an answer since then for the whole time that
    /// it gets. The editor counts as gone.
    var answersCannotCome = false
    /// True from the first ``Verdict/closeInput`` on: the agent's input cannot be opened again. Nil counts as false, and is also
    /// in the state of an older bridge.
    private(set) var inputIsClosed: Bool?
    /// True while the agent owes an answer to any client.
    var owesAnswers = false
    /// True while the agent works in the foreground.
    var hasTurn = false {
        didSet { if hasTurn { restHasLapsed = false } }
    }
    /// True while background work, an unknown state or a prompt without a turn needs the agent, in version 2 of ACP.
    var hasRestingWork = false {
        didSet { if !hasRestingWork { restHasLapsed = false } }
    }
    /// True if resting work alone has kept the agent for its whole time. An agent like that counts as idle.
    var restHasLapsed = false
    /// True while other clients than the editor use the agent.
    var hasOtherClients = false {
        didSet {
            if hasOtherClients { (wasLeftAlone, restHasLapsed) = (false, false) }
        }
    }
    /// True if the agent was idle and had no other client when the editor left, so no client needs it.
    private var wasLeftAlone = false

    /// The names in a hand-over's JSON. They stay the names of the first format. Resting work is not handed over: it
    /// follows from the router's state, and its time begins again.
    private enum CodingKeys: String, CodingKey {
        case policy, hasEditor, inputHasEnded, inputIsClosed, hasTurn, hasOtherClients = "hasGuests", wasLeftAlone
    }

    init(policy: LingerPolicy) { self.policy = policy }

    /// The agent continues until it is ended on request.
    mutating func keep() { policy = .keep }

    private var isWorking: Bool { hasTurn || (hasRestingWork && !restHasLapsed) }
    private var isBusy: Bool { isWorking || hasOtherClients }

    /// True if resting work alone keeps the agent now. The time of this state is limited.
    var isKeptByRestingWork: Bool {
        guard case .linger(let time) = policy, time > .zero else { return false }
        guard hasRestingWork, !restHasLapsed, !hasTurn else { return false }
        return hasEditor ? inputHasEnded : !hasOtherClients
    }

    /// True if the agent would continue if the editor left now.
    var outlivesEditor: Bool {
        switch policy {
        case .keep: true
        case .linger(let time): time > .zero && isBusy
        }
    }

    var verdict: Verdict { hasEditor ? verdictWithEditor : verdictWithout }

    /// Call when the agent's input is closed. The agent then ends, whatever clients come.
    mutating func inputWasClosed() { inputIsClosed = true }

    private var verdictWithEditor: Verdict {
        guard inputHasEnded else { return .stay }
        guard inputIsClosed != true else { return .closeInput }
        if isWorking, outlivesEditor { return answersCannotCome ? .detachEditor : .stay }
        guard policy == .keep || (hasOtherClients && outlivesEditor) else { return .closeInput }
        return owesAnswers ? .stay : .detachEditor
    }

    private var verdictWithout: Verdict {
        if inputIsClosed == true, !isWorking { return .end(after: .zero) }
        guard case .linger(let time) = policy else { return .stay }
        if time > .zero, isBusy { return .stay }
        return .end(after: wasLeftAlone ? .zero : time)
    }
}
