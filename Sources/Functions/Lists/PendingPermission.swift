import Agents
import EventLoop
import JSONScan

/// A `session/request_permission` without an answer: an element of `permissions:pending`.
package struct PendingPermission {
    let sessionId: String
    let agent: String
    /// The resume token of the session's incarnation.
    let journal: String
    /// The agent's own id for the request, as JSON text.
    let requestId: [UInt8]
    /// The time of the request, in milliseconds since 1970.
    package let askedTs: Int64
    /// The request's params as the agent wrote them, or a prefix of them: see ``PermissionParams``.
    let params: [UInt8]
    /// Ordered by the time of the request, the agent's process id, and the number of the request among that agent's
    /// requests.
    let place: ListPosition

    package func write(to writer: inout JSONWriter) {
        writer.member("sessionId", sessionId)
        writer.member("agent", agent)
        writer.member("journal", journal)
        writer.member("requestId", raw: requestId)
        writer.member("askedTs", askedTs)
        writer.member("params", raw: params)
    }
}

extension AgentRun {
    package var pendingPermissions: [PendingPermission] {
        let asked = sessions?.router.pendingPermissions ?? []
        return asked.compactMap { request in
            guard let id = request.session, let session = sessions?.sessions[id] else { return nil }
            return PendingPermission(
                sessionId: id, agent: name, journal: session.journal, requestId: request.id.rawText,
                askedTs: request.since, params: request.params,
                place: ListPosition(request.since, Int64(pid), Int64(request.number ?? 0)))
        }
    }
}
