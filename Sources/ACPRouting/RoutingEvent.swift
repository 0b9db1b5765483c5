import JSONRPC

extension RequestRouter {
    /// One result of a line. The order of events matters: a client must receive the answer to `session/new` after the
    /// session was opened, and the answer to `session/prompt` after the end of the turn was noted.
    package enum Event: Equatable {
        case fact(Fact)
        case delivery(Delivery)
    }

    /// A fact about the agent or about one of its sessions.
    package enum Fact: Equatable {
        /// The agent's whole answer to `initialize`.
        case initialized(result: [UInt8])
        case sessionOpened(id: String, cwd: String?)
        /// The agent's whole answer to the request that opened or continued the session, with its modes and options.
        case sessionSetUp(id: String, result: [UInt8])
        case modeSet(id: String, mode: String)
        /// All options of the session, as the agent wrote them.
        case optionsSet(id: String, options: [UInt8])
        /// The agent will continue a session. It repeats the session's history only if `replays` is true.
        case sessionContinued(id: String, cwd: String?, replays: Bool)
        case continuationEnded(id: String, succeeded: Bool)
        case sessionClosed(id: String)
        /// `params` are unchanged. `by` is nil if the editor sent the prompt.
        case promptSent(id: String, params: [UInt8], by: String?)
        /// The agent's whole answer: `{"stopReason":"end_turn"}`, or `{"error":{…}}`.
        case turnEnded(id: String, outcome: [UInt8])
        /// ACP version 2: the agent has added a prompt to the conversation. Its whole answer: `{"messageId":"u1"}`.
        case promptInserted(id: String, answer: [UInt8])
        /// ACP version 2: the agent has reported the end of a turn. Its whole report: `{"stopReason":"end_turn"}`.
        case workEnded(id: String, outcome: [UInt8])
        /// ACP version 2: the agent has added a prompt to the conversation and then reported nothing for some time.
        case turnExpired(id: String)
        /// The session's work has changed: see ``RequestRouter/activity(of:)``.
        case activityChanged(id: String)
        /// `{"requestId":5,"params":{…}}`
        case permissionAsked(id: String, request: [UInt8])
        /// `{"requestId":5,"result":{…}}`, with `"by"` if the answer did not come from the editor.
        case permissionAnswered(id: String, answer: [UInt8])
        /// `{"requestId":5,"params":{…}}`
        case elicitationAsked(id: String, request: [UInt8])
        /// Like the answer to a permission request.
        case elicitationAnswered(id: String, answer: [UInt8])
        /// The agent has announced `id` as a child of `parent`.
        case childAnnounced(id: String, parent: String)
        /// The agent has named a child. An empty title removes the name.
        case childNamed(id: String, title: String)
        /// The session's waiting prompts, or their order, have changed.
        case queueChanged(id: String)
        /// The capabilities that the primary lacks have changed: see ``RequestRouter/missingCapabilities``.
        case capabilitiesChanged
    }

    /// A message for one party.
    package enum Delivery: Equatable {
        case toAgent([UInt8])
        case toEditor([UInt8])
        /// A line for a remote client. Send it after the updates of the session that came before it.
        case toClient(ClientNumber, [UInt8], session: String?)
        /// A remote client that follows `parent` must get the updates of a child of it, after the updates of `parent` that
        /// came before. `isNew` is false for a child that the agent announced before the client came.
        case childToClient(ClientNumber, child: String, parent: String, isNew: Bool)
        /// A prompt that the agent does not send as an update. All remote clients that follow the session, except the sender,
        /// must get it after the updates that came before. `sender` is nil if no remote client has sent it.
        case promptToClients(session: String, params: [UInt8], sender: ClientNumber?)
        /// The answer to the bridge's own request with this number.
        case answered(Int, Reply)
    }
}
