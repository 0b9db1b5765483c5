import TinyvexMachine

/// Sends this client's answers to the agent. It does not keep the client alive; without the client, `send` does
/// nothing.
package struct AgentReplies: Sendable {
    private let core: WeakReference<SyncCore>

    init(_ core: SyncCore) { self.core = WeakReference(core) }

    package func send(_ call: Call?) {
        guard let call, let core = core.object else { return }
        core.handle(.call(CallID(number: core.withReceivers { $0.newNumber() }), call))
    }
}
