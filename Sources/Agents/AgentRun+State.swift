import AgentProcess

/// An agent's state for the hand-over to the program that replaces this one. Clients' pending requests are not
/// included: the clients reconnect and find the outcome in the log.
extension AgentRun {
    package struct State: Codable {
        var name: String
        package var record: AgentRecord.Agent
        var command: [SystemString]
        /// Milliseconds since 1970.
        var startedAt: Int64
        var tenant: String?
        var stay: StayMachine
        /// Nil if an older bridge without this limit wrote the state.
        var permissionLimit: Duration?
        var pipes: Pipes
        var editor: EditorLink.State?
        var errorTail: ErrorTail
        var guestCount: Int
        var answerCount: Int
        var sessions: AgentSessions.State
    }

    /// Nil if the agent is ending.
    package var state: State? {
        guard !isEnding, let sessions, let input else { return nil }
        return State(
            name: name, record: record, command: command, startedAt: startedAt, tenant: tenant, stay: stay,
            permissionLimit: permissionClock.limit,
            pipes: Pipes(input: input.state, output: output?.state, error: error?.state), editor: editor?.state,
            errorTail: errorTail, guestCount: guestCount, answerCount: answers.count, sessions: sessions.state)
    }

    /// Pauses or resumes reading from the agent and from the editor.
    package func holdStill(_ isHeld: Bool) {
        for inlet in [output, error, editor?.input] { inlet?.hold(.isHandedOver, isHeld) }
    }
}

extension AgentRun.State {
    /// The descriptors that are handed over with this state.
    package var descriptors: [Int32] {
        let agent = [pipes.input.outlet?.fd, pipes.output, pipes.error]
        return (agent + [editor?.input, editor?.output.outlet?.fd, editor?.error?.fd]).compactMap(\.self)
    }
}
