import DemoPrompts
import JSONRPC
import JSONScan

/// Runs the scripts of a session.
extension AgentMachine {
    mutating func run(_ number: Int, in index: Int, limitBytes: Int) {
        guard var activity = sessions[index].work.take(number) else { return }
        resumeIfDue(&activity, in: index)
        let limit = activity.flushesEachLine ? min(limitBytes, output.count + 1) : limitBytes
        while output.count < limit, case .time(let time) = activity.wait, time <= now {
            let action = activity.script.next()
            if case .finish = action { return finish(activity, in: index) }
            perform(action, &activity, in: index)
        }
        sessions[index].work.put(activity)
    }

    private mutating func resumeIfDue(_ activity: inout Activity, in index: Int) {
        switch activity.wait {
        case .answer(let id, let withdrawsAt?) where withdrawsAt <= now: withdraw(id, of: &activity)
        case .withdrawn(_, let givesUpAt) where givesUpAt <= now:
            activity.script.answered(.declined)
            activity.wait = .time(now)
        default: break
        }
    }

    private mutating func perform(_ action: Script.Action, _ activity: inout Activity, in index: Int) {
        let id = activity.script.sessionID
        switch action {
        case .update(let update), .begin(_, let update), .end(_, let update): sendAndKeep(update, of: id, in: index)
        case .liveUpdate(let update): sendUpdate(update, to: id)
        case .text(let kind, let messageID, let text): send(text, kind, messageID, &activity, in: index)
        case .output(let terminalID, let bytes):
            sendUpdate(TerminalUpdate.output(terminalID, bytes), to: id)
            let child = childID(id, in: index)
            keep(
                sessions[index].history.append(output: bytes, terminalID: terminalID, childID: child),
                of: sessions[index])
        case .state(let state): setState(state, of: id, in: index)
        case .ask(let question): ask(question, &activity)
        case .notify(let method, let params): send(Self.notification(method, params))
        case .launch(let launch): start(launch, launcher: activity.number, in: index)
        case .join: if !sessions[index].work.children(of: activity.number).isEmpty { activity.wait = .children }
        case .pause(let duration): activity.pause(duration, now: now)
        case .ownTurn(let text): beginOwnTurn(text, in: index)
        case .snapshot: if sessions[index].work.state.isIdle { sendState(in: index) }
        case .finish: break
        }
    }

    private mutating func ask(_ question: Question, _ activity: inout Activity) {
        let id = nextAskID()
        activity.question = question
        activity.wait = .answer(id, withdrawsAt: question.withdrawsAfter.map { now + $0 })
        send(Self.request(id, question.method, question.params))
    }

    /// The first actions are performed at once, so that a background terminal is announced before a state lists it.
    private mutating func start(_ launch: Launch, launcher: Int, in index: Int) {
        let number = sessions[index].work.add(launch.script, launch.role, launcher: launcher, at: now)
        guard launch.firstActions > 0, var activity = sessions[index].work.take(number) else { return }
        for _ in 0..<launch.firstActions { perform(activity.script.next(), &activity, in: index) }
        sessions[index].work.put(activity)
    }

    private mutating func finish(_ activity: Activity, in index: Int) {
        keepFinishedMessages(in: index)
        switch activity.role {
        case .turn:
            sessions[index].usedTokens = activity.script.totalTokens
            beginNextTurn(in: index)
        case .child: release(activity.launcher, in: index)
        // The state without a stop reason is a snapshot, and not the end of a turn.
        case .background: sendState(in: index, hasReason: false)
        case .timer: break
        }
    }

    private mutating func keepFinishedMessages(in index: Int) {
        let isQuiet = sessions[index].work.activities.isEmpty
        let finished = isQuiet ? sessions[index].history.endAllMessages() : sessions[index].history.endMessage()
        keep(finished, of: sessions[index])
    }

    private mutating func release(_ launcher: Int?, in index: Int) {
        if let launcher { return sessions[index].work.release(launcher, at: now) }
        sessions[index].running?.waitsForScripts = false
        sessions[index].running?.wake = now
    }

    /// Reads the response to a question of a script.
    mutating func handleAnswer(to id: RequestID, _ outcome: Message.Outcome) {
        for index in sessions.indices {
            guard let number = sessions[index].work.activities.first(where: { $0.askID == id })?.number,
                var activity = sessions[index].work.take(number)
            else { continue }
            let answer = activity.answer(outcome)
            if case .remembered(let isAllowed) = answer { sessions[index].rememberedPermission = isAllowed }
            activity.script.answered(answer)
            activity.wait = .time(now)
            return sessions[index].work.put(activity)
        }
    }
}

// MARK: Sending

extension AgentMachine {
    mutating func sendAndKeep(_ update: [UInt8], of sessionID: String, in index: Int) {
        sendUpdate(update, to: sessionID)
        let child = childID(sessionID, in: index)
        keep(sessions[index].history.append(update, childID: child), of: sessions[index])
    }

    private mutating func send(
        _ text: String, _ kind: TextStream.Kind, _ messageID: String, _ activity: inout Activity, in index: Int
    ) {
        let id = activity.script.sessionID
        let line: ChunkLine
        if let last = activity.chunkLine, last.messageID == messageID, last.kind == kind {
            line = last
        } else {
            line = ChunkLine(sessionID: id, kind: kind, messageID: messageID)
            activity.chunkLine = line
        }
        send(text, as: line)
        let child = childID(id, in: index)
        let finished = sessions[index].history.append(text, kind: kind.rawValue, messageID: messageID, childID: child)
        if !finished.isEmpty { keep(finished, of: sessions[index]) }
    }

    private func childID(_ id: String, in index: Int) -> String? { sessions[index].id == id ? nil : id }

    static func notification(_ method: String, _ params: [UInt8]) -> [UInt8] {
        JSONWriter.object {
            $0.member("jsonrpc", "2.0")
            $0.member("method", method)
            $0.member("params", raw: params)
        }
    }
}
