import AgentProcess
import WireLogging

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
        var lifetime: LifetimeMachine
        /// Nil if an older bridge without this limit wrote the state.
        var permissionLimit: Duration?
        /// True if the limit is the agent's own, false if it is the bridge's. Nil if an older bridge wrote the state.
        var hasOwnPermissionLimit: Bool?
        var pipes: AgentPipes.State
        var editor: EditorLink.State?
        var errorTail: ErrorTail
        var clientCount: Int
        var answerCount: Int
        var sessions: AgentSessions.State
        var wireLog: WireLogRequest?
        /// Nil if the agent is not started again, or if an older bridge wrote the state.
        var restartPlan: RestartPlan?
        /// True if the agent was started for one session and has not opened it. Nil otherwise.
        var wasStarting: Bool?

        /// The names in a hand-over's JSON. They stay the names of the first format.
        private enum CodingKeys: String, CodingKey {
            case name, record, command, startedAt, tenant, lifetime = "stay", permissionLimit, hasOwnPermissionLimit,
                pipes, editor,
                errorTail, clientCount = "guestCount", answerCount, sessions, wireLog, restartPlan,
                wasStarting
        }
    }
}

extension AgentRun.State {
    /// - Parameter bridge: The setting of the bridge that continues the agent.
    func permissionLimit(ofBridge bridge: Duration?) -> PermissionLimit {
        PermissionLimit(own: hasOwnPermissionLimit == false ? nil : permissionLimit, ofBridge: bridge)
    }

    /// The descriptors that are handed over with this state.
    package var descriptors: [Int32] {
        let agent = [pipes.input.pipeWriter?.fd, pipes.output, pipes.error]
        return (agent + [editor?.input, editor?.output.pipeWriter?.fd, editor?.error?.fd]).compactMap(\.self)
    }
}
