import ACPMethods
import JSONRPC
import JSONScan

/// Turns, and the prompts that wait for them.
extension RequestRouter {
    package var hasRunningTurn: Bool { turns.isAnyRunning }

    /// The prompts that wait for the turn before them, by session.
    package var queues: [String: [QueuedPrompt]] { turns.queues }

    mutating func turnBegan(
        _ session: String, under id: RequestID, _ params: JSONValue?, _ asker: Asker, at now: Int64
    ) -> Event {
        let by = clients.name(of: asker)
        turns.begin(PromptTurn(request: id, since: now, by: by), in: session)
        return .fact(.promptSent(id: session, params: params.map { Array($0.rawText) } ?? Array("{}".utf8), by: by))
    }

    mutating func turnEnded(_ session: String, under id: RequestID, _ reply: Reply, at now: Int64) -> [Event] {
        let ended = Event.fact(.turnEnded(id: session, outcome: reply.outcome))
        guard let next = turns.end(id, in: session) else { return [ended] }
        let prompt = send(
            ACPMethod.sessionPrompt.name, next.params, session: session, asker: next.asker, at: now)
        return [ended, .fact(.queueChanged(id: session))] + prompt
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
