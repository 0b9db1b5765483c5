/// Whether a session's agent works on prompts, according to the session's timeline, in either version of ACP.
///
/// In version 1 the answer to a prompt ends its turn. In version 2 the answer only means that the message is in the
/// conversation, and the agent reports its states. Agents also begin turns by themselves there. The entry `turn_end` with an
/// empty object ends the turn of an agent that reports no states.
package struct OpenTurns {
    /// Prompts without an answer.
    private var prompts = 0
    /// A message is in the conversation, and its turn has not ended.
    private var isExpected = false
    /// The agent has reported that it works.
    private var isWorking: Bool
    /// A turn has ended since the last prompt.
    private var hasEnded = false
    /// Only turns of this session are counted. The states of its subagents do not change them.
    private let session: String

    /// - Parameter isRunning: a turn is already running, so its beginning will not be passed to `note`.
    package init(session: String, isRunning: Bool) {
        self.session = session
        isWorking = isRunning
    }

    package var isIdle: Bool { prompts == 0 && !isExpected && !isWorking }

    /// - Returns: True if the entry ends a turn.
    package mutating func note(_ entry: TimelineValue) -> Bool {
        switch entry.kind {
        case "prompt":
            prompts += 1
            hasEnded = false
        case "turn_end": return noteAnswer(entry)
        case "agent_start", "agent_exit": self = OpenTurns(session: session, isRunning: false)
        case "update" where entry.updateKind == "state_update": return noteState(entry)
        default: break
        }
        return false
    }

    private mutating func noteAnswer(_ entry: TimelineValue) -> Bool {
        if entry.content["messageId"] != nil, !entry.hasEnd {
            prompts = max(0, prompts - 1)
            isExpected = isExpected || !hasEnded
            return false
        }
        if !entry.hasEnd, isExpected {
            isExpected = false
        } else if prompts > 0 {
            prompts -= 1
        } else {
            isExpected = false
            isWorking = false
        }
        return true
    }

    private mutating func noteState(_ entry: TimelineValue) -> Bool {
        guard entry.content["params"]?["sessionId"]?.stringValue == session else { return false }
        switch entry.update?["state"]?.stringValue {
        case "running", "requires_action": isWorking = true
        // A repeated idle ends nothing.
        case "idle" where isWorking:
            isWorking = false
            isExpected = false
            hasEnded = true
            return true
        default: break
        }
        return false
    }
}
