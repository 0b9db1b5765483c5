/// Where answers to the agent go, as long as the client is there.
package struct AgentReplies: Sendable {
    weak let core: SyncCore?

    package func send(_ call: Call?) {
        guard let call, let core else { return }
        core.handle(.call(CallID(number: core.withOutlets { $0.newNumber() }), call))
    }
}
