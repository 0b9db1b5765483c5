import DemoPrompts
import JSONRPC
import JSONScan

/// The prompts of version 2: several can be in flight, and each is inserted when the turn before it has ended.
extension AgentMachine {
    mutating func enqueuePrompt(_ id: RequestID, _ params: Params) throws(Refusal) {
        let index = try index(of: params, isOpen: true)
        let blocks = try params.array("prompt")
        guard !blocks.isEmpty else { throw .invalidParams("prompt must not be empty") }
        let text = try Self.text(of: blocks)
        let key = params["idempotencyKey"]?.stringValue
        if let messageID = sessions[index].work.messageID(forKey: key) { return accept([id], messageID) }
        if let key, let place = sessions[index].work.queue.firstIndex(where: { $0.key == key }) {
            return sessions[index].work.queue[place].requestIDs.append(id)
        }
        guard sessions[index].work.queue.count < SessionWork.queueLimit else {
            throw Refusal(code: .internalError, message: "\(SessionWork.queueLimit) prompts are waiting")
        }
        let content = blocks.map { Array($0.rawText) }
        sessions[index].work.queue.append(QueuedTurn(requestIDs: [id], key: key, text: text, content: content))
        beginNextTurn(in: index)
    }

    /// Begins a turn that no prompt requested, after the turns that are waiting.
    mutating func beginOwnTurn(_ text: String, in index: Int) {
        sessions[index].work.queue.append(QueuedTurn(requestIDs: [], key: nil, text: text, content: []))
        beginNextTurn(in: index)
    }

    mutating func beginNextTurn(in index: Int) {
        while sessions[index].isOpen, sessions[index].work.turn == nil, !sessions[index].work.queue.isEmpty {
            begin(sessions[index].work.queue.removeFirst(), in: index)
        }
    }

    private mutating func begin(_ turn: QueuedTurn, in index: Int) {
        let options = turn.options
        if case .fail(let message) = options.command {
            return fail(turn.requestIDs, .internalError, message.isEmpty ? "Failed as requested" : message)
        }
        sessions[index].turnCount += 1
        sessions[index].updatedAt = timestampNow
        sessions[index].work.listsBackground = !options.extras.isUnlisted
        if options.extras.isOlder { sessions[index].work.isOlder = true }
        insert(turn, answersFirst: options.extras.answersFirst, in: index)
        let plan = TurnPlan(prompt: turn.text, options: options, setting: setting(for: sessions[index]))
        _ = sessions[index].work.add(plan.script(), .turn, launcher: nil, at: now)
    }

    /// Reports the message and the state. The response comes last, or first for a prompt with `answer first`.
    private mutating func insert(_ turn: QueuedTurn, answersFirst: Bool, in index: Int) {
        let messageID = "user_\(sessions[index].turnCount)"
        if answersFirst { accept(turn.requestIDs, messageID) }
        if !turn.requestIDs.isEmpty {
            sessions[index].work.remember(messageID, forKey: turn.key)
            let message = SessionUpdate.object("user_message") { update in
                update.member("messageId", messageID)
                update.memberArray("content") { for block in turn.content { $0.element(raw: block) } }
            }
            sendAndKeep(message, of: sessions[index].id, in: index)
        }
        setState(.running, of: sessions[index].id, in: index)
        if !answersFirst { accept(turn.requestIDs, messageID) }
    }

    private mutating func accept(_ ids: [RequestID], _ messageID: String) {
        for id in ids { respond(id) { $0.member("messageId", messageID) } }
    }

    mutating func fail(_ ids: [RequestID], _ code: ErrorCode, _ message: String) {
        for id in ids { fail(id, code, message) }
    }
}

extension QueuedTurn {
    /// A turn of the agent only answers, so that it does not begin a further one.
    var options: TurnOptions {
        guard requestIDs.isEmpty else { return TurnOptions.parse(text) }
        var options = TurnOptions()
        options.parts = [.usage]
        options.wordCount = 24
        return options
    }
}
