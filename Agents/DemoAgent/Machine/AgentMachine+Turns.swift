import DemoPrompts
import JSONRPC
import JSONScan

/// The turns of version 1.
extension AgentMachine {
    mutating func prompt(_ id: RequestID, _ params: Params) throws(Refusal) {
        let index = try index(of: params, isOpen: true)
        let blocks = try params.array("prompt")
        guard sessions[index].running == nil else {
            throw Refusal(
                code: .invalidRequest, message: "A turn is running in this session; cancel it, or wait until it ends")
        }
        let text = try Self.text(of: blocks)
        sessions[index].turnCount += 1
        sessions[index].updatedAt = timestampNow
        for block in blocks { keepUserMessage(block, in: index) }
        let turn = Turn(prompt: text, setting: setting(for: sessions[index]))
        sessions[index].running = RunningTurn(promptID: id, turn: turn, wake: now)
    }

    /// The text that options and subjects are read from. A linked resource contributes its name, an embedded one
    /// its URI.
    static func text(of blocks: [JSONValue]) throws(Refusal) -> String {
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

    func setting(for session: Session) -> TurnSetting {
        TurnSetting(
            sessionID: session.id, cwd: session.cwd, turn: session.turnCount,
            pace: .milliseconds(session.paceMilliseconds), canUseFiles: client?.canUseFiles == true,
            hasTerminal: client?.hasTerminal == true,
            asksPermission: session.mode == .ask && session.rememberedPermission == nil,
            neverAsks: session.mode == .yolo,
            rejectsEdits: session.rememberedPermission == false && session.mode == .ask,
            thinks: session.thinks, usedTokens: session.usedTokens, startedAt: session.updatedAt,
            version: version, elicitations: client?.elicitations ?? [], hasSubagents: client?.hasSubagents == true,
            seed: configuration.seed)
    }

    mutating func handleResponse(to id: RequestID, _ outcome: Message.Outcome) {
        // A response without a waiting turn is ignored, for example after a cancellation.
        guard let index = sessions.firstIndex(where: { $0.running?.askID == id }) else {
            return handleAnswer(to: id, outcome)
        }
        sessions[index].running?.askID = nil
        sessions[index].running?.withdrawsAt = nil
        sessions[index].running?.wake = now
        let isWithdrawn = sessions[index].running?.isWithdrawn == true
        sessions[index].running?.turn.answered(outcome, isWithdrawn: isWithdrawn)
        sessions[index].running?.isWithdrawn = false
        if let answer = sessions[index].running?.turn.rememberedPermission {
            sessions[index].rememberedPermission = answer
        }
    }

    /// Ends a turn at once: closes its open tool call and answers its prompt. Does nothing if no turn is running.
    mutating func cancelTurn(of sessionID: String, _ end: TurnEnd) {
        guard let index = sessions.firstIndex(where: { $0.id == sessionID && $0.running != nil }) else { return }
        sessions[index].running?.turn.cancel(end)
        sessions[index].running?.askID = nil
        sessions[index].running?.waitsForScripts = false
        sessions[index].running?.wake = now
        runTurn(index, limitBytes: .max)
    }

    mutating func runTurn(_ index: Int, limitBytes: Int) {
        // Move the turn out of the session, so that it is not copied.
        guard var running = sessions[index].running else { return }
        sessions[index].running = nil
        withdrawIfDue(&running)
        let limit = running.turn.options.flushesEachLine ? min(limitBytes, output.count + 1) : limitBytes
        while output.count < limit, running.askID == nil, !running.waitsForScripts, running.wake <= now {
            let action = running.turn.next()
            if case .end(let end) = action { return finish(running, end, in: index) }
            perform(action, &running, in: index)
        }
        sessions[index].running = running
    }

    private mutating func perform(_ action: Turn.Action, _ running: inout RunningTurn, in index: Int) {
        switch action {
        case .update(let update): sendAndKeep(update, in: index)
        case .text(let kind, let messageID, let text): sendChunk(text, kind, messageID, &running, in: index)
        case .ask(let method, let params):
            let id = nextAskID()
            running.askID = id
            running.withdrawsAt = running.turn.withdrawsAfter.map { now + $0 }
            send(Self.request(id, method, params))
        case .send(let method, let params): send(Self.request(nextAskID(), method, params))
        // Count from the time at which the turn was due, so that delays do not add up. After the process was
        // stopped, do not catch up.
        case .pause(let duration): running.wake = max(running.wake + duration, now)
        case .run(let script):
            running.waitsForScripts = true
            _ = sessions[index].work.add(script, .child, launcher: nil, at: now)
        case .end: break
        }
    }

    private mutating func withdrawIfDue(_ running: inout RunningTurn) {
        guard let id = running.askID, let time = running.withdrawsAt, time <= now else { return }
        running.withdrawsAt = nil
        running.isWithdrawn = true
        sendWithdrawal(of: id)
    }

    private mutating func sendChunk(
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

    static func request(_ id: RequestID, _ method: String, _ params: [UInt8]) -> [UInt8] {
        JSONWriter.object {
            $0.member("jsonrpc", "2.0")
            $0.member("id", id)
            $0.member("method", method)
            $0.member("params", raw: params)
        }
    }
}
