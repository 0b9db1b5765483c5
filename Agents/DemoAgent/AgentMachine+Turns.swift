import JSONRPC
import JSONScan

extension AgentMachine {
    mutating func prompt(_ id: RequestID, _ params: Params) throws(Refusal) {
        let index = try index(of: params, isOpen: true)
        let blocks = try params.array("prompt")
        guard sessions[index].running == nil else {
            throw Refusal(code: .invalidRequest, message: "A turn is running in this session; cancel it or wait")
        }
        let text = try Self.text(of: blocks)
        sessions[index].turnCount += 1
        sessions[index].updatedAt = timestampNow
        for block in blocks { keepUserMessage(block, in: index) }
        let turn = Turn(prompt: text, setting: setting(for: sessions[index]))
        sessions[index].running = RunningTurn(promptID: id, turn: turn, wake: now)
    }

    /// The text that options and subjects come from; of a linked resource its name, of an embedded one its text.
    private static func text(of blocks: [JSONValue]) throws(Refusal) -> String {
        var texts: [String] = []
        for block in blocks {
            guard let type = block["type"]?.stringValue else { throw .invalidParams("a content block needs a type") }
            switch type {
            case "text":
                guard let text = block["text"]?.stringValue else { throw .invalidParams("a text block needs a text") }
                texts.append(text)
            case "resource_link": texts.append(block["name"]?.stringValue ?? "")
            case "resource": texts.append(block["resource"]?["uri"]?.stringValue ?? "")
            default: break
            }
        }
        return texts.joined(separator: "\n")
    }

    private mutating func keepUserMessage(_ block: JSONValue, in index: Int) {
        let update = SessionUpdate.content(
            "user_message_chunk", messageID: "user_\(sessions[index].turnCount)", block: block.rawText)
        keep(sessions[index].history.append(update), of: sessions[index])
    }

    private func setting(for session: Session) -> TurnSetting {
        TurnSetting(
            sessionID: session.id, cwd: session.cwd, turn: session.turnCount,
            pace: .milliseconds(session.paceMilliseconds), canUseFiles: client?.canUseFiles == true,
            hasTerminal: client?.hasTerminal == true,
            asksPermission: session.mode == .ask && session.rememberedPermission == nil,
            neverAsks: session.mode == .yolo,
            rejectsEdits: session.rememberedPermission == false && session.mode == .ask,
            thinks: session.thinks, usedTokens: session.usedTokens, startedAt: session.updatedAt)
    }

    mutating func takeAnswer(to id: RequestID, _ outcome: Message.Outcome) {
        // An answer that nobody waits for any more, after a cancel for example, is nothing.
        guard let index = sessions.firstIndex(where: { $0.running?.askID == id }) else { return }
        sessions[index].running?.askID = nil
        sessions[index].running?.wake = now
        sessions[index].running?.turn.answered(outcome)
        if let answer = sessions[index].running?.turn.rememberedPermission {
            sessions[index].rememberedPermission = answer
        }
    }

    /// Ends a turn at once, what it has begun closed and its prompt answered; no turn running: nothing.
    mutating func cancelTurn(of sessionID: String, _ end: TurnEnd) {
        guard let index = sessions.firstIndex(where: { $0.id == sessionID && $0.running != nil }) else { return }
        sessions[index].running?.turn.cancel(end)
        sessions[index].running?.askID = nil
        sessions[index].running?.wake = now
        run(index, limitBytes: .max)
    }

    /// Lets every turn do what is due, until there is one write's worth of output.
    mutating func advance(to time: Duration) {
        now = time
        let running = sessions.indices.filter { isDue(sessions[$0]) }
        for (position, index) in running.enumerated() {
            // What is left is shared, so that one fast turn does not hold up the others.
            let share = max(0, Self.outputLimitBytes - output.count) / (running.count - position)
            run(index, limitBytes: output.count + share)
        }
    }

    /// When the next turn goes on; nil when all wait for the client, or there is none.
    var wake: Duration? {
        sessions.compactMap { $0.running?.askID == nil ? $0.running?.wake : nil }.min()
    }

    private func isDue(_ session: Session) -> Bool {
        guard let running = session.running else { return false }
        return running.askID == nil && running.wake <= now
    }

    private mutating func run(_ index: Int, limitBytes: Int) {
        // Taken out for the time, so that nothing of it is copied.
        guard var running = sessions[index].running else { return }
        sessions[index].running = nil
        let limit = running.turn.options.flushesEachLine ? min(limitBytes, output.count + 1) : limitBytes
        while output.count < limit, running.askID == nil, running.wake <= now {
            let action = running.turn.next()
            if case .end(let end) = action { return finish(running, end, in: index) }
            perform(action, &running, in: index)
        }
        sessions[index].running = running
    }

    private mutating func perform(_ action: Turn.Action, _ running: inout RunningTurn, in index: Int) {
        switch action {
        case .update(let update): sendAndKeep(update, in: index)
        case .text(let kind, let messageID, let text): say(text, kind, messageID, &running, in: index)
        case .ask(let method, let params):
            let id = nextAskID()
            running.askID = id
            send(Self.request(id, method, params))
        case .tell(let method, let params): send(Self.request(nextAskID(), method, params))
        // From when it was due, so that lateness does not add up; but a stopped process does not catch up.
        case .pause(let duration): running.wake = max(running.wake + duration, now)
        case .end: break
        }
    }

    private mutating func say(
        _ text: String, _ kind: TextStream.Kind, _ messageID: String, _ running: inout RunningTurn, in index: Int
    ) {
        let line: ChunkLine
        if let last = running.chunkLine, last.messageID == messageID {
            line = last
        } else {
            line = ChunkLine(sessionID: sessions[index].id, kind: kind, messageID: messageID)
            running.chunkLine = line
        }
        send(text, as: line)
        let finished = sessions[index].history.append(text, kind: kind.rawValue, messageID: messageID)
        if !finished.isEmpty { keep(finished, of: sessions[index]) }
    }

    private mutating func sendAndKeep(_ update: [UInt8], in index: Int) {
        sendUpdate(update, to: sessions[index].id)
        keep(sessions[index].history.append(update), of: sessions[index])
    }

    private mutating func finish(_ running: RunningTurn, _ end: TurnEnd, in index: Int) {
        keep(sessions[index].history.endMessage(), of: sessions[index])
        sessions[index].usedTokens = running.turn.usedTokens
        switch end {
        case .stopped(let reason): respond(running.promptID) { $0.member("stopReason", reason) }
        case .failed(let code, let message): fail(running.promptID, ErrorCode(rawValue: code), message)
        }
    }

    private static func request(_ id: RequestID, _ method: String, _ params: [UInt8]) -> [UInt8] {
        JSONWriter.object {
            $0.member("jsonrpc", "2.0")
            $0.member("id", id)
            $0.member("method", method)
            $0.member("params", raw: params)
        }
    }
}
