import FieldLimits
import JSONRPC
import JSONScan

/// One session's work as the agent reports it in ACP version 2, and the session's unfinished prompts. Pure.
///
/// A turn begins with the first `running` or `requires_action`, even if no prompt caused it, and ends with the next
/// `idle`. Another `idle` is a snapshot and ends nothing. `unknown`, or a state that ACP does not define, neither begins
/// nor ends a turn.
struct SessionWork: Equatable, Codable {
    /// The state of the foreground work. The raw values are ACP's, and names in the hand-over's JSON.
    enum Foreground: String, Codable {
        case idle, running
        case requiresAction = "requires_action"
        /// The agent cannot tell its state, or reported a state that ACP does not define.
        case unknown
    }

    /// An unfinished prompt that the agent has added to the conversation.
    struct InsertedPrompt: Equatable, Codable {
        /// The sender.
        let asker: RequestRouter.Asker
        /// The message's id in the agent's answer. Nil if the answer had none.
        let messageId: String?
        /// True if the running turn is the prompt's turn. Otherwise the turn has not begun.
        var isInTurn: Bool
    }

    /// The end of a turn.
    struct TurnEnd: Equatable {
        /// The agent's report without its state: `{"stopReason":"end_turn"}`.
        let outcome: [UInt8]
        /// The prompts that this turn processed.
        let prompts: [InsertedPrompt]
    }

    /// A user message that the agent has reported while a prompt was open.
    private struct Echo: Equatable, Codable {
        let messageId: String
        /// The outcome of the turn that processed the message. Nil until that turn has ended.
        var outcome: [UInt8]?
    }

    private(set) var foreground = Foreground.idle
    /// True from the beginning of a turn until its end.
    private(set) var isInTurn = false
    /// The number of the latest turn among the turns of all sessions.
    private(set) var turnNumber = 0
    /// The beginning of the running turn, in milliseconds since 1970.
    private(set) var turnSince: Int64 = 0
    private(set) var background = BackgroundWork()
    /// The inserted prompts, in the order of the agent's answers.
    private(set) var prompts: [InsertedPrompt] = []
    /// The time of the latest sign of work while a prompt waits for its turn, in milliseconds since 1970.
    private(set) var lastProgress: Int64 = 0
    private var echoes: [Echo] = []
    /// How the last turn ended: ACP's stop reason, or `error` if the agent answered the prompt with an error. Nil before
    /// the end of a turn, and after `end_turn`, because most sessions must have no entry in ``SessionWorks``.
    private(set) var stopReason: String?

    /// The number of reported messages to keep. The oldest is dropped; its prompt then ends with the next turn.
    private static let echoesLimit = 64
    /// The number of inserted prompts to keep. More prompts than a user can wait for; the oldest ends as if its turn had
    /// ended.
    private static let promptsLimit = 256
    /// 1 KiB. A longer message id is treated like a missing one.
    static let messageIdLimitBytes = 1 << 10
    /// 64 KiB, the limit for every part of a session's value. A longer outcome is reduced to its stop reason.
    private static let outcomeLimitBytes = 64 << 10

    /// The stop reasons that ACP defines are single words. A longer one counts as missing.
    private static let stopReasonLimitBytes = 64

    /// True if nothing is known that differs from a new session.
    var isBlank: Bool {
        foreground == .idle && !isInTurn && background.isEmpty && prompts.isEmpty && echoes.isEmpty
            && stopReason == nil
    }

    /// True if the foreground works, so that the agent must not be ended.
    var isActive: Bool { foreground == .running || foreground == .requiresAction }

    /// True if only background work, an unknown state or an expected turn keeps the agent.
    var isResting: Bool { !isActive && (foreground == .unknown || !background.isEmpty || !prompts.isEmpty) }

    /// True if a prompt was inserted and its turn has not begun.
    var isWaiting: Bool { prompts.contains { !$0.isInTurn } }

    /// True if the agent can be sent a prompt. Background work does not matter. An unknown state outside a turn does not
    /// matter either: the agent may never report another one.
    var isReady: Bool { !isInTurn && prompts.isEmpty }

    // MARK: The agent's reports

    /// Handles a `state_update`, or the state that a parent reports for its child.
    ///
    /// - Parameters:
    ///   - number: The number of the turn, if one begins.
    ///   - isReplay: True while the agent repeats the session's history. Its states begin and end no turn that counts.
    /// - Returns: The end of the turn, if one has ended.
    mutating func reported(_ update: JSONValue, turn number: Int, isReplay: Bool, at now: Int64) -> TurnEnd? {
        if let list = update["background"], list.kind == .array { background = BackgroundWork(list) }
        guard let state = update["state"]?.stringValue else { return nil }
        foreground = Foreground(rawValue: state) ?? .unknown
        switch foreground {
        case .running, .requiresAction:
            if !isInTurn { begin(number, at: now) }
            return nil
        case .idle:
            guard isInTurn else { return nil }
            isInTurn = false
            if !isReplay { stopReason = Self.stopReason(of: update) }
            return isReplay ? forgetTurn(at: now) : end(Self.outcome(of: update), at: now)
        case .unknown: return nil
        }
    }

    private mutating func begin(_ number: Int, at now: Int64) {
        isInTurn = true
        turnNumber = number
        turnSince = now
        for index in prompts.indices { prompts[index].isInTurn = true }
    }

    private mutating func end(_ outcome: [UInt8], at now: Int64) -> TurnEnd {
        lastProgress = now
        for index in echoes.indices where echoes[index].outcome == nil { echoes[index].outcome = outcome }
        let ended = prompts.filter(\.isInTurn)
        prompts.removeAll(where: \.isInTurn)
        return TurnEnd(outcome: outcome, prompts: ended)
    }

    /// A repeated history contains the end of the running turn only if the turn ended meanwhile. Its prompts then wait
    /// for another sign, for a limited time.
    private mutating func forgetTurn(at now: Int64) -> TurnEnd? {
        for index in prompts.indices { prompts[index].isInTurn = false }
        lastProgress = now
        return nil
    }

    /// Handles the report of a user's message. Call it only while a prompt of the session is open.
    mutating func reportedMessage(_ id: String, at now: Int64) {
        guard !echoes.contains(where: { $0.messageId == id }) else { return }
        if echoes.count == Self.echoesLimit { echoes.removeFirst() }
        echoes.append(Echo(messageId: id))
        guard isInTurn else { return }
        for index in prompts.indices where prompts[index].messageId == id { prompts[index].isInTurn = true }
    }

    mutating func endBackground(_ item: BackgroundWork.Item) { background.remove(item) }

    /// Records an update of the session. A prompt that waits for its turn then waits longer.
    mutating func progressed(at now: Int64) { lastProgress = now }

    // MARK: Prompts

    /// Handles an answer to a prompt that ends the prompt's turn, as in version 1.
    ///
    /// - Parameter outcome: The agent's whole answer: `{"stopReason":"end_turn"}`, or `{"error":{…}}`.
    mutating func answered(_ outcome: [UInt8]) {
        stopReason = (try? JSONValue(validating: outcome)).flatMap(Self.stopReason)
    }

    /// Handles the answer to a prompt: the agent has inserted it.
    ///
    /// - Parameter turns: The number of turns of all sessions that had begun when the prompt was sent.
    /// - Returns: The outcome of the prompt's turn, if the turn has already ended.
    mutating func inserted(
        by asker: RequestRouter.Asker, _ messageId: String?, sentAfter turns: Int, at now: Int64
    ) -> [UInt8]? {
        let echo = messageId.flatMap { id in echoes.first { $0.messageId == id } }
        if let outcome = echo?.outcome { return outcome }
        // Without a report of the message, only a turn that began after the prompt was sent can be the prompt's turn.
        let isItsTurn = isInTurn && (echo != nil || turnNumber > turns)
        prompts.append(InsertedPrompt(asker: asker, messageId: messageId, isInTurn: isItsTurn))
        lastProgress = now
        return nil
    }

    /// True if there are more inserted prompts than are kept.
    var hasTooManyPrompts: Bool { prompts.count > Self.promptsLimit }

    mutating func removeOldestPrompt() -> InsertedPrompt? { prompts.isEmpty ? nil : prompts.removeFirst() }

    /// Forgets the messages that the agent has reported, because no prompt is open.
    mutating func forgetMessages() { echoes = [] }

    /// Removes the prompts that wait for their turn, if the session has been silent for `limit` milliseconds and no
    /// turn is running.
    mutating func expire(at now: Int64, after limit: Int64) -> [InsertedPrompt] {
        guard !isInTurn, isWaiting, now - lastProgress >= limit else { return [] }
        defer { prompts = [] }
        return prompts
    }

    // MARK: Outcomes

    private static func stopReason(of outcome: JSONValue) -> String? {
        if outcome["error"] != nil { return "error" }
        let reason = outcome["stopReason"]?.stringValue
        return reason == "end_turn" ? nil : reason?.within(bytes: stopReasonLimitBytes)
    }

    private static func outcome(of update: JSONValue) -> [UInt8] {
        let outcome = JSONWriter.object { writer in
            for (name, value) in update.members where !["sessionUpdate", "state", "background"].contains(name) {
                writer.member(name, raw: value.rawText)
            }
        }
        guard outcome.count > outcomeLimitBytes else { return outcome }
        let reason = update["stopReason"]?.stringValue?.within(bytes: messageIdLimitBytes)
        return JSONWriter.object { $0.member("stopReason", ifPresent: reason) }
    }

    /// Adds the message's id to an outcome: `{"messageId":"u1","stopReason":"end_turn"}`.
    static func result(_ outcome: [UInt8], of messageId: String?) -> [UInt8] {
        guard let messageId else { return outcome }
        return JSONWriter.object { writer in
            writer.member("messageId", messageId)
            for (name, value) in (try? JSONValue(validating: outcome))?.members ?? [] where name != "messageId" {
                writer.member(name, raw: value.rawText)
            }
        }
    }
}
