import JSONRPC

extension Exchange {
    /// What a line means, or what is to be done about it.
    enum Event: Equatable {
        // What it means for the sessions.

        /// The agent's whole answer to `initialize`.
        case initialized(result: [UInt8])
        case sessionOpened(id: String, cwd: String?)
        /// The agent's whole answer to the request that opened the session or went on with it: its modes and options.
        case sessionSetUp(id: String, result: [UInt8])
        case modeSet(id: String, mode: String)
        /// All options of the session, as the agent wrote them.
        case optionsSet(id: String, options: [UInt8])
        /// The agent is about to repeat a session's history, or (not `replays`) to go on without.
        case sessionContinued(id: String, cwd: String?, replays: Bool)
        case continuationEnded(id: String, succeeded: Bool)
        case sessionClosed(id: String)
        /// `params` as they were written; `by` where it was not the editor.
        case promptSent(id: String, params: [UInt8], by: String?)
        /// The agent's whole answer: `{"stopReason":"end_turn"}`, or `{"error":{…}}`.
        case turnEnded(id: String, outcome: [UInt8])
        /// `{"requestId":5,"params":{…}}`
        case permissionAsked(id: String, request: [UInt8])
        /// `{"requestId":5,"result":{…}}`, with `"by"` where it was not the editor.
        case permissionAnswered(id: String, answer: [UInt8])
        /// Prompts wait in another order, or others do.
        case queueChanged(id: String)

        // What is to be done.

        case toAgent([UInt8])
        case toEditor([UInt8])
        /// To be sent behind the session's updates that came before it.
        case toGuest(Guest, [UInt8], session: String?)
        /// The bridge's own request has its answer.
        case answered(Int, Reply)
    }
}
