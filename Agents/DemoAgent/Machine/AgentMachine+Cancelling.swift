import JSONRPC
import JSONScan

/// Ends work at the request of the client, and withdraws requests to it.
extension AgentMachine {
    /// `session/cancel`: for a session its foreground work and the prompts that were not inserted; for a child the
    /// child and its descendants. Background work continues.
    mutating func cancelWork(of sessionID: String) {
        if let index = sessions.firstIndex(where: { $0.id == sessionID }) {
            failQueuedPrompts(in: index)
            cancelForeground(of: index)
        } else if let index = sessions.firstIndex(where: { sessionID.hasPrefix($0.id + ".") }) {
            cancel(sessions[index].work.activities(ofChild: sessionID), in: index)
        }
    }

    mutating func cancelForeground(of index: Int) {
        let work = sessions[index].work
        switch sessions[index].version {
        case .two:
            guard let turn = work.turn?.number else { return }
            cancel(work.children(of: turn) + [turn], in: index)
        case .one:
            // The client answers all pending requests itself, so none is withdrawn.
            let roots = work.activities.filter { $0.launcher == nil }.map(\.number)
            abandon(roots.flatMap { work.children(of: $0) + [$0] }, in: index)
        }
    }

    private mutating func failQueuedPrompts(in index: Int) {
        let queue = sessions[index].work.queue
        sessions[index].work.queue = []
        for turn in queue { fail(turn.requestIDs, .requestCancelled, "Cancelled before the prompt was inserted") }
    }

    /// `$/cancel_request` for a prompt that was not inserted. Returns false if there is none.
    mutating func cancelQueuedPrompt(_ id: RequestID) -> Bool {
        for index in sessions.indices {
            let queue = sessions[index].work.queue
            guard let place = queue.firstIndex(where: { $0.requestIDs.contains(id) }) else { continue }
            sessions[index].work.queue[place].requestIDs.removeAll { $0 == id }
            if queue[place].requestIDs.count == 1 { sessions[index].work.queue.remove(at: place) }
            fail(id, .requestCancelled, "Request cancelled")
            return true
        }
        return false
    }

    /// Ends scripts; the innermost come first, so that their launchers can end after them.
    private mutating func cancel(_ numbers: [Int], in index: Int) {
        for number in numbers {
            guard var activity = sessions[index].work.take(number) else { continue }
            activity.script.cancel(activity.lastSteps)
            switch activity.wait {
            // An agent of an older draft waits for the client, which must answer by itself.
            case .answer(let id, _): if !sessions[index].work.isOlder { withdraw(id, of: &activity) }
            case .time: activity.wait = .time(now)
            case .withdrawn, .children: break
            }
            sessions[index].work.put(activity)
        }
        for number in numbers { run(number, in: index, limitBytes: .max) }
    }

    /// Ends scripts without waiting for the client.
    private mutating func abandon(_ numbers: [Int], in index: Int) {
        for number in numbers {
            guard var activity = sessions[index].work.take(number) else { continue }
            activity.script.cancel(activity.lastSteps)
            activity.wait = .time(now)
            sessions[index].work.put(activity)
            run(number, in: index, limitBytes: .max)
        }
    }

    /// `session/close`: ends all work of the session, in the background as well.
    mutating func endAllWork(of index: Int) {
        failQueuedPrompts(in: index)
        let activities = sessions[index].work.activities
        for activity in activities where activity.role == .timer { _ = sessions[index].work.take(activity.number) }
        for case .answer(let id, _) in activities.map(\.wait) { sendWithdrawal(of: id) }
        // Scripts have higher numbers than their launchers.
        abandon(activities.filter { $0.role != .timer }.map(\.number).reversed(), in: index)
    }
}

// MARK: Terminals and tool calls

extension AgentMachine {
    /// `terminal/cancel` and `tool_call/cancel`. The response means that the agent has accepted the request; the
    /// last update of the entity follows.
    mutating func cancelEntity(
        _ id: RequestID, _ kind: Entity.Kind, _ entityID: String, _ params: Params
    ) throws(Refusal) {
        let sessionID = try params.string("sessionId")
        guard let index = sessions.firstIndex(where: { $0.id == sessionID || sessionID.hasPrefix($0.id + ".") }) else {
            throw .unknownSession
        }
        let entity = Entity(kind: kind, id: entityID, isCancellable: true)
        guard
            let number = sessions[index].work.activities.first(where: {
                $0.script.sessionID == sessionID && $0.script.open.contains(entity)
            })?.number, var activity = sessions[index].work.take(number)
        else { throw .invalidParams("unknown, ended, or not cancellable") }
        respond(id)
        let wasAsked = activity.script.cancel(entity)
        if wasAsked, case .answer(let askID, _) = activity.wait { withdraw(askID, of: &activity) }
        if case .time = activity.wait { activity.wait = .time(now) }
        sessions[index].work.put(activity)
    }
}

// MARK: Withdrawing

extension AgentMachine {
    /// The client still owes a response, which the script awaits before it continues.
    mutating func withdraw(_ id: RequestID, of activity: inout Activity) {
        sendWithdrawal(of: id)
        activity.wait = .withdrawn(id, givesUpAt: now + Activity.withdrawalLimit)
    }

    mutating func sendWithdrawal(of id: RequestID) {
        send(MessageText.notification(method: "$/cancel_request") { $0.member("requestId", id) })
    }
}
