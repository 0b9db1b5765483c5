import JSONRPC
import JSONScan

/// Updates that change the work of a session, or announce a child session.
extension RequestRouter {
    /// The kinds of update to pass to ``agentUpdated(_:_:at:)``.
    package var updateInterest: UpdateInterest {
        var interest: UpdateInterest = open.replaying.isEmpty ? .children : [.children, .replays]
        guard isVersion2 else { return interest }
        interest.insert(.states)
        if works.backgroundCount > 0 { interest.insert(.ends) }
        if turns.isAnyRunning { interest.insert(.messages) }
        if works.waitingCount > 0 { interest.formUnion([.messages, .everything]) }
        return interest
    }

    /// Handles a `session/update` of a kind in ``updateInterest``. Call it after the line was added to its session.
    package mutating func agentUpdated(_ line: Span<UInt8>, _ envelope: Envelope, at now: Int64) -> [Event] {
        guard !envelope.isAmbiguous, let range = envelope.updateKind, let session = Self.session(envelope, line) else {
            return []
        }
        if works.waitingCount > 0, works[session].isWaiting { works.change(session) { $0.progressed(at: now) } }
        guard updateInterest.subtracting(.everything).includes(line.extracting(range)),
            let kind = envelope.string(in: line, at: range), let update = Self.value(line, envelope.update)
        else { return [] }
        switch kind {
        case "subagent_update": return childReported(update, in: session, at: now)
        case "state_update":
            children.noteReport(of: session)
            return stateReported(update, in: session, at: now)
        case "user_message", "user_message_chunk":
            reportedMessage(update, in: session, at: now)
            return []
        default: return backgroundEnded(BackgroundWork.item(endedBy: update, kind), in: session)
        }
    }

    private mutating func stateReported(_ update: JSONValue, in session: String, at now: Int64) -> [Event] {
        let old = works[session]
        let end = works.reported(update, in: session, isReplay: isReplaying(session), at: now)
        var events: [Event] = []
        if works[session].foreground == .idle, let parent = children.parent(of: session) {
            events += backgroundEnded(.subagent(session), in: parent)
        }
        if old != works[session] { events += activityChanged(session) }
        guard let end else { return events }
        return events + turnEnded(session, end, at: now)
    }

    /// Handles the announcement of a child, or news of it. Version 1 reports a child's state only here. In version 2
    /// this is a copy, which counts until the child reports a state itself.
    private mutating func childReported(_ update: JSONValue, in parent: String, at now: Int64) -> [Event] {
        guard let id = update["sessionId"]?.publishedSessionId else { return [] }
        let wasKnown = children.isChild(id)
        guard let child = children.announced(by: update, in: parent) else { return [] }
        var events: [Event] = []
        if isReplaying(parent), open.beginReplay(of: child) {
            events.append(.fact(.sessionContinued(id: child, cwd: nil, replays: true)))
        }
        if !wasKnown {
            events.append(.fact(.childAnnounced(id: child, parent: parent)))
            let ancestors = children.ancestors(of: child)
            for client in clients.numbers where clients.follows(client, anyOf: ancestors) {
                events.append(.delivery(.childToClient(client, child: child, parent: parent, isNew: true)))
            }
            events += workChanged(child)
        }
        if let title = update["title"] {
            // Null removes the title.
            events.append(.fact(.childNamed(id: child, title: title.stringValue ?? "")))
        }
        guard let state = Self.state(of: update), !children.hasReported(child) else { return events }
        events += stateReported(state, in: child, at: now)
        return events
    }

    /// The state in a `subagent_update`: `"state":{"state":"idle","stopReason":"error"}`.
    private static func state(of update: JSONValue) -> JSONValue? {
        guard let state = update["state"] else { return nil }
        return state.kind == .object ? state : update
    }

    private mutating func reportedMessage(_ update: JSONValue, in session: String, at now: Int64) {
        guard turns.running(in: session) != nil || !works[session].prompts.isEmpty,
            let id = update["messageId"]?.stringValue?.within(bytes: SessionWork.messageIdLimitBytes)
        else { return }
        works.change(session) { $0.reportedMessage(id, at: now) }
    }

    private mutating func backgroundEnded(_ item: BackgroundWork.Item?, in session: String) -> [Event] {
        guard let item, !works[session].background.isEmpty else { return [] }
        let count = works[session].background.count
        works.change(session) { $0.endBackground(item) }
        return works[session].background.count == count ? [] : activityChanged(session)
    }

    /// The activity of a child is part of the activity of its ancestors.
    mutating func activityChanged(_ session: String) -> [Event] {
        [.fact(.activityChanged(id: session))] + workChanged(session)
    }

    /// Returns the changes of the ancestors' activities.
    mutating func workChanged(_ session: String) -> [Event] {
        guard children.isChild(session) else { return [] }
        let (works, turns) = (works, turns)
        return children.noteWork(of: session) { Self.isBusy($0, works, turns) }.map { .fact(.activityChanged(id: $0)) }
    }

    /// The session's work, for lists.
    package func activity(of session: String) -> AgentActivity {
        let work = works[session]
        var activity = AgentActivity()
        activity.isInTurn = work.isInTurn
        activity.agentState = work.foreground == .idle ? nil : work.foreground.rawValue
        activity.backgroundCount = work.background.count
        activity.stopReason = work.stopReason
        activity.isBusy = Self.isBusy(session, works, turns) || children.hasBusyDescendant(session)
        activity.parentId = children.parent(of: session)
        return activity
    }

    static func isBusy(_ session: String, _ works: SessionWorks, _ turns: PromptTurns) -> Bool {
        let work = works[session]
        return work.isActive || work.isResting || turns.running(in: session) != nil
    }

    // MARK: Limits in time

    /// 30 s without an update: an agent that has inserted a prompt must report `running` when it begins to work. After
    /// this time the prompt ends without a stop reason.
    static let silenceLimitMilliseconds: Int64 = 30_000
    /// 5 s: an agent of version 2 withdraws its permission requests itself after `session/cancel`. Agents that follow an
    /// earlier draft wait for the client's answers.
    static let withdrawalLimitMilliseconds: Int64 = 5_000

    /// True if ``expire(at:)`` must be called from time to time.
    package var hasLimitsInTime: Bool { works.waitingCount > 0 || pending.hasCancelled || hasOrphanedWithdrawals }

    /// Ends the waits that have reached their limit. Call it every few seconds while ``hasLimitsInTime`` is true.
    package mutating func expire(at now: Int64) -> [Event] {
        var events: [Event] = []
        for session in works.waitingCount > 0 ? Array(works.sessions) : [] {
            let prompts = works.change(session) { $0.expire(at: now, after: Self.silenceLimitMilliseconds) }
            guard !prompts.isEmpty else { continue }
            for prompt in prompts {
                let result = SessionWork.result(Array("{}".utf8), of: prompt.messageId)
                events += deliver(Reply(result: result), insertedBy: prompt.asker, session: session)
            }
            events += [.fact(.turnExpired(id: session))] + settled(session) + sendNext(in: session, at: now)
        }
        return events + answerCancelled(at: now) + answerOrphanedWithdrawals()
    }
}
