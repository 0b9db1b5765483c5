import EventLoop
import JSONScan

/// A `session/request_permission` that nobody has answered yet: an element of `permissions:pending`.
struct PendingPermission {
    let sessionId: String
    let agent: String
    /// Of the session's life.
    let journal: String
    /// The agent's own id of the request, as JSON text.
    let requestId: [UInt8]
    /// When it was asked, in milliseconds since 1970.
    let askedTs: Int64
    /// The request's params as the agent wrote them, or their beginning: see ``PermissionParams``.
    let params: [UInt8]
    /// By when it was asked, its agent, and its number among those that the agent has asked.
    let place: ListPosition

    func write(to writer: inout JSONWriter) {
        writer.member("sessionId", sessionId)
        writer.member("agent", agent)
        writer.member("journal", journal)
        writer.member("requestId", raw: requestId)
        writer.member("askedTs", askedTs)
        writer.member("params", raw: params)
    }
}

extension AgentRun {
    var pendingPermissions: [PendingPermission] {
        let asked = sessions?.exchange.pendingPermissions ?? []
        return asked.compactMap { request in
            guard let id = request.session, let session = sessions?.sessions[id] else { return nil }
            return PendingPermission(
                sessionId: id, agent: name, journal: session.journal, requestId: request.id.rawText,
                askedTs: request.since, params: request.params,
                place: ListPosition(request.since, Int64(pid), Int64(request.number ?? 0)))
        }
    }
}
