import DemoPrompts
import JSONRPC

/// A sequence of steps with their results so far. It has no clock and no I/O.
///
/// Its owner calls `next()` repeatedly until the action is `.finish`. After `.pause`, the owner waits first. After
/// `.ask`, the owner passes the answer to `answered(_:)` first.
struct Script {
    enum Action {
        /// Send this `update` object, and store it for a replay.
        case update([UInt8])
        /// Send this `update` object, which is not replayed.
        case liveUpdate([UInt8])
        /// Send a chunk of text.
        case text(TextStream.Kind, messageID: String, String)
        case output(terminalID: String, [UInt8])
        /// The first and the last update of an entity.
        case begin(Entity, [UInt8])
        case end(Entity, [UInt8])
        /// Report the state of the script's session.
        case state(WorkState)
        case ask(Question)
        case notify(method: String, params: [UInt8])
        case launch(Launch)
        /// Wait until the scripts that this one launched in the foreground have ended.
        case join
        case pause(Duration)
        /// Begin a turn that no prompt requested.
        case ownTurn(text: String)
        /// Repeat the state of the session.
        case snapshot
        /// The last action.
        case finish
    }

    /// The session or child session that the updates belong to.
    let sessionID: String
    let pace: Duration
    let version: ProtocolVersion
    /// Tokens at the beginning; `usage` adds four bytes per token.
    var usedTokens = 0
    /// One write per line, even without a pace.
    var flushesEachLine = false
    /// Terminals and tool calls that have begun and not ended.
    private(set) var open: [Entity] = []

    private var steps: ArraySlice<Step>
    private var stream: TextStream?
    private var prose: Prose
    private var pending: Duration?
    private var asked: (ifAccepted: [Step], otherwise: [Step])?
    private var textBytes = 0

    init(sessionID: String, pace: Duration, version: ProtocolVersion, prose: Prose, _ steps: [Step]) {
        self.sessionID = sessionID
        self.pace = pace
        self.version = version
        self.prose = prose
        self.steps = steps[...]
    }

    var totalTokens: Int { usedTokens + textBytes / 4 }

    mutating func next() -> Action {
        if let pause = pending {
            pending = nil
            return .pause(pause)
        }
        while true {
            if let chunk = nextChunk() { return chunk }
            guard let step = steps.popFirst() else { return .finish }
            if let action = perform(step) { return action }
        }
    }

    mutating func answered(_ answer: Question.Answer) {
        guard let branches = asked else { return }
        asked = nil
        switch answer {
        case .accepted, .remembered(isAllowed: true): prepend(branches.ifAccepted)
        case .declined, .remembered(isAllowed: false): prepend(branches.otherwise)
        }
    }

    private mutating func nextChunk() -> Action? {
        guard let text = stream?.next(from: &prose), let stream else {
            self.stream = nil
            return nil
        }
        textBytes += text.utf8.count
        if pace > .zero { pending = pace }
        return .text(stream.kind, messageID: stream.messageID, text)
    }

    private mutating func perform(_ step: Step) -> Action? {
        switch step {
        case .perform(let action):
            follow(action)
            return action
        case .stream(let kind, let messageID, let length):
            prose.endSentence()
            stream = TextStream(kind: kind, messageID: messageID, rest: length)
            return nil
        case .pause(let paces): return pace > .zero ? .pause(pace * paces) : nil
        case .ask(let question, let ifAccepted, let otherwise):
            asked = (ifAccepted, otherwise)
            return .ask(question)
        case .usage: return .update(SessionUpdate.usage(usedTokens: totalTokens))
        case .repeating(let body):
            prepend(body + [step])
            return nil
        }
    }

    private mutating func follow(_ action: Action) {
        switch action {
        case .begin(let entity, _): open.append(entity)
        case .end(let entity, _): open.removeAll { $0 == entity }
        default: break
        }
    }

    private mutating func prepend(_ branch: [Step]) {
        steps = (branch + steps)[...]
    }
}

// MARK: Cancelling

extension Script {
    /// Drops the remaining steps, ends the open entities, and then continues with `last`.
    mutating func cancel(_ last: [Step]) {
        stop()
        asked = nil
        steps = (endsOfOpenEntities() + last)[...]
    }

    /// Ends one entity and the entities that began inside it. Returns true if the pending question belonged to it.
    mutating func cancel(_ entity: Entity) -> Bool {
        let rest = (asked?.otherwise ?? []) + steps
        guard let end = rest.firstIndex(where: { $0.ends(entity) }) else { return false }
        let wasAsked = asked != nil
        stop()
        asked = nil
        let dropped = rest[...end]
        let inner = open.reversed().filter { open in dropped.contains { $0.ends(open) } }
        // A state after the question stays, so that the session does not remain in `requires_action`.
        steps = (inner.map(cancellation) + dropped.filter(\.isState) + rest[(end + 1)...])[...]
        return wasAsked
    }

    private mutating func stop() {
        stream = nil
        pending = nil
    }

    private func endsOfOpenEntities() -> [Step] { open.reversed().map(cancellation) }

    private func cancellation(_ entity: Entity) -> Step {
        .perform(.end(entity, entity.cancelled(version: version)))
    }
}
