import ACPMethods
import JSONRPC
import JSONScan

/// Turns, and the prompts that wait for them.
extension RequestRouter {
    /// True while the agent works on a prompt or, in version 2 of ACP, while its foreground works, a prompt waits or a
    /// client must answer a request.
    package var hasRunningTurn: Bool {
        if turns.isAnyRunning || works.activeCount > 0 { return true }
        if isVersion2, turns.isAnyQueued { return true }
        return (isVersion2 || !children.isEmpty) && !pending.isEmpty
    }

    /// True if a session has background work, an unknown state, or a prompt that waits for its turn. This alone keeps
    /// an agent for a limited time.
    package var hasRestingWork: Bool { works.restingCount > 0 }

    /// The facts that decide on the agent's lifetime.
    package struct WorkSummary: Equatable, Sendable {
        /// ``RequestRouter/hasRunningTurn``
        package let hasRunningTurn: Bool
        /// ``RequestRouter/hasRestingWork``
        package let hasRestingWork: Bool
        /// ``RequestRouter/isUnattended``
        package let isUnattended: Bool
        /// ``RequestRouter/hasLimitsInTime``
        package let hasLimitsInTime: Bool
        /// ``RequestRouter/hasQuestions``
        package let hasQuestions: Bool
    }

    /// All these facts at once, because each call from another object can copy the router.
    package var workSummary: WorkSummary {
        WorkSummary(
            hasRunningTurn: hasRunningTurn, hasRestingWork: hasRestingWork, isUnattended: isUnattended,
            hasLimitsInTime: hasLimitsInTime, hasQuestions: hasQuestions)
    }

    /// True if nothing happens in the session and its descendants: no work, no prompt, and no request without an answer,
    /// neither of a client nor of the agent. A request whose session is not known can concern any.
    package func isIdle(in session: String) -> Bool {
        let family = Set([session] + children.generations(below: session))
        let concerns = { (session: String?) in session.map(family.contains) ?? true }
        return !open.contains { concerns($0.session) } && !pending.requests.contains { concerns($0.session) }
            && family.allSatisfy { isReady($0) && turns.queues[$0] == nil && !Self.isBusy($0, works, turns) }
    }

    /// The prompts that wait for the turn before them, by session.
    package var queues: [String: [QueuedPrompt]] { turns.queues }

    mutating func turnBegan(
        _ session: String, under id: RequestID, _ params: JSONValue?, _ asker: Asker, at now: Int64
    ) -> [Event] {
        let by = clients.name(of: asker)
        let turn = PromptTurn(request: id, since: now, by: by, sentAfter: isVersion2 ? works.turnCount : nil)
        turns.begin(turn, in: session)
        let text = params.map { Array($0.rawText) } ?? Array("{}".utf8)
        let sent = Event.fact(.promptSent(id: session, params: text, by: by))
        return [sent] + copies(of: text, to: session, by: asker) + workChanged(session)
    }

    /// In version 1, only the sender of a prompt knows it. In version 2 the agent sends it as an update.
    private func copies(of params: [UInt8], to session: String, by asker: Asker) -> [Event] {
        guard !isVersion2, clients.numbers.contains(where: { !asker.isClient($0) }) else { return [] }
        let sender: ClientNumber? = if case .client(let number, _) = asker { number } else { nil }
        return [.delivery(.promptToClients(session: session, params: params, sender: sender))]
    }

    mutating func turnEnded(_ session: String, under id: RequestID, _ reply: Reply, at now: Int64) -> [Event] {
        let next = turns.end(id, in: session)
        let ended = ended(session, reply.outcome)
        guard let next else { return ended }
        return ended + send(next, in: session, at: now)
    }

    /// Records how a turn has ended.
    ///
    /// - Parameter outcome: The agent's whole answer to the prompt.
    private mutating func ended(_ session: String, _ outcome: [UInt8]) -> [Event] {
        let before = works[session].stopReason
        works.change(session) { $0.answered(outcome) }
        let ended = Event.fact(.turnEnded(id: session, outcome: outcome))
        return [ended] + (before == works[session].stopReason ? workChanged(session) : activityChanged(session))
    }

    private mutating func send(_ prompt: QueuedPrompt, in session: String, at now: Int64) -> [Event] {
        let sent = send(
            ACPMethod.sessionPrompt.name, prompt.params, session: session, asker: prompt.asker, at: now)
        return [.fact(.queueChanged(id: session))] + sent
    }

    // MARK: Version 2

    /// True if a prompt can be sent to the session: no prompt is unanswered, and no turn is running or expected.
    func isReady(_ session: String) -> Bool { turns.running(in: session) == nil && works[session].isReady }

    /// Handles the answer to a prompt. A result means that the prompt is in the conversation; its turn ends later.
    mutating func promptAnswered(
        _ session: String, under id: RequestID, _ reply: Reply, by asker: Asker, at now: Int64
    ) -> [Event] {
        let turn = turns.remove(id, in: session)
        guard let result = reply.result else {
            return ended(session, reply.outcome)
                + deliver(reply, to: asker, session: session) + sendNext(in: session, at: now)
        }
        let value = try? JSONValue(validating: result)
        let messageId = value?["messageId"]?.stringValue?.within(bytes: SessionWork.messageIdLimitBytes)
        if value?["stopReason"]?.stringValue != nil, !works[session].isInTurn {
            // The answer of version 1, from an agent that reports no states.
            return ended(session, result) + deliver(reply, to: asker, session: session)
                + settled(session) + sendNext(in: session, at: now)
        }
        var events: [Event] = [.fact(.promptInserted(id: session, answer: result))]
        if case .bridge = asker {} else { events += deliver(reply, to: asker, session: session) }
        let outcome = works.change(session) { work in
            work.inserted(by: asker, messageId, sentAfter: turn?.sentAfter ?? 0, at: now)
        }
        if let outcome {
            events += deliver(
                Reply(result: SessionWork.result(outcome, of: messageId)), insertedBy: asker, session: session)
        }
        return events + dropOldestPrompt(in: session) + settled(session) + sendNext(in: session, at: now)
    }

    /// Delivers the end of a prompt's turn. The editor and remote clients have the agent's own answer already.
    mutating func deliver(_ reply: Reply, insertedBy asker: Asker, session: String) -> [Event] {
        guard case .bridge = asker else { return [] }
        return deliver(reply, to: asker, session: session)
    }

    private mutating func dropOldestPrompt(in session: String) -> [Event] {
        guard works[session].hasTooManyPrompts, let oldest = works.change(session, { $0.removeOldestPrompt() }) else {
            return []
        }
        let result = SessionWork.result(Array("{}".utf8), of: oldest.messageId)
        return deliver(Reply(result: result), insertedBy: oldest.asker, session: session)
    }

    /// Handles the end of a turn that the agent has reported.
    mutating func turnEnded(_ session: String, _ end: SessionWork.TurnEnd, at now: Int64) -> [Event] {
        var events: [Event] = [.fact(.workEnded(id: session, outcome: end.outcome))]
        for prompt in end.prompts {
            let result = SessionWork.result(end.outcome, of: prompt.messageId)
            events += deliver(Reply(result: result), insertedBy: prompt.asker, session: session)
        }
        return events + settled(session) + sendNext(in: session, at: now)
    }

    /// Call after a prompt or a turn has ended. The reported messages are needed only while a prompt is open.
    mutating func settled(_ session: String) -> [Event] {
        if turns.running(in: session) == nil, works[session].prompts.isEmpty {
            works.change(session) { $0.forgetMessages() }
        }
        return activityChanged(session)
    }

    mutating func sendNext(in session: String, at now: Int64) -> [Event] {
        guard isReady(session), let next = turns.next(in: session) else { return [] }
        return send(next, in: session, at: now)
    }

    /// Removes a waiting prompt. Its sender gets the error -32800.
    package mutating func unqueue(_ prompt: QueuedPrompt, in session: String) -> [Event] {
        dropQueued(in: session) { $0.since == prompt.since }
    }

    /// Removes matching prompts from the queues. Returns the events that notify their senders.
    mutating func dropQueued(
        in only: String? = nil, where isDropped: (QueuedPrompt) -> Bool = { _ in true }
    ) -> [Event] {
        let reply = Reply(error: .requestCancelled, "the prompt was cancelled while it waited")
        var events: [Event] = []
        for (session, prompts) in turns.dequeue(in: only, where: isDropped) {
            events.append(.fact(.queueChanged(id: session)))
            for prompt in prompts { events += deliver(reply, to: prompt.asker, session: session) }
        }
        return events
    }
}
