import JSONRPC
import JSONScan

/// `session/resume` and `session/delete` of version 2.
extension AgentMachine {
    /// Sends the history if the client asks for it, then `replay_complete`, the current state, and the response.
    mutating func resumeWithReplay(_ id: RequestID, _ params: Params) throws(Refusal) {
        let index = try continuedIndex(of: params)
        let cwd = try params.cwd()
        let cursor = params["replayFrom"]
        guard cursor == nil || cursor?["type"]?.stringValue == "start" else {
            throw .invalidParams("replayFrom must be of type start")
        }
        if cursor != nil { replayHistory(in: index) }
        if !sessions[index].work.isOlder { sendState(in: index) }
        reopen(index, cwd: cwd, answering: id)
        sendLiveChildren(in: index)
    }

    /// Ends the work of the session first. The deletion of an unknown session succeeds, as ACP requires.
    mutating func deleteSession(_ id: RequestID, _ params: Params) throws(Refusal) {
        let sessionID = try params.string("sessionId")
        if let index = sessions.firstIndex(where: { $0.id == sessionID }) {
            sessions[index].isOpen = false
            endAllWork(of: index)
            remove(at: index)
        }
        respond(id)
    }

    private mutating func replayHistory(in index: Int) {
        keep(sessions[index].history.endMessage(), of: sessions[index])
        replay(sessions[index])
        guard !sessions[index].work.isOlder else { return }
        let complete = SessionUpdate.object("replay_complete") { _ in }
        for child in sessions[index].work.children { sendUpdate(complete, to: child.id) }
        sendUpdate(complete, to: sessions[index].id)
    }

    /// The history of a child can be out of date, so the current grants and states follow the response.
    private mutating func sendLiveChildren(in index: Int) {
        for child in sessions[index].work.children where child.isLive {
            sendUpdate(SubagentUpdate.capabilities(of: child.id, canCancel: true), to: Self.parent(of: child.id))
            sendUpdate(child.state.update(), to: child.id)
        }
    }
}
