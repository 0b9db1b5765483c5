import AgentProcess

/// An agent as it is handed over to the program that takes this one's place. What clients wait for is not in it: they
/// come back and find what happened in the log.
extension AgentRun {
    struct State: Codable {
        var name: String
        var record: AgentRecord.Agent
        var command: [SystemString]
        /// Milliseconds since 1970.
        var startedAt: Int64
        var tenant: String?
        var stay: StayMachine
        /// A bridge that knew none has left it out.
        var permissionLimit: Duration?
        var pipes: Pipes
        var editor: EditorLink.State?
        var errorTail: ErrorTail
        var guestCount: Int
        var answerCount: Int
        var sessions: AgentSessions.State
    }

    /// Nil when it is ending.
    var state: State? {
        guard !isEnding, let sessions, let input else { return nil }
        return State(
            name: name, record: record, command: command, startedAt: startedAt, tenant: tenant, stay: stay,
            permissionLimit: permissionClock.limit,
            pipes: Pipes(input: input.state, output: output?.state, error: error?.state), editor: editor?.state,
            errorTail: errorTail, guestCount: guestCount, answerCount: answers.count, sessions: sessions.state)
    }

    /// Nothing is read any more, from either side, or again.
    func holdStill(_ isHeld: Bool) {
        for inlet in [output, error, editor?.input] { inlet?.hold(.isHandedOver, isHeld) }
    }
}

extension AgentRun.State {
    /// The descriptors that are handed over with it.
    var descriptors: [Int32] {
        let agent = [pipes.input.outlet?.fd, pipes.output, pipes.error]
        return (agent + [editor?.input, editor?.output.outlet?.fd, editor?.error?.fd]).compactMap(\.self)
    }
}
