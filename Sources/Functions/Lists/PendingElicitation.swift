import ACPRouting
import Access
import Agents
import EventLoop
import JSONRPC
import JSONScan
import Tinyvex

/// An `elicitation/create` without an answer: an element of `elicitations:pending`.
struct PendingElicitation {
    /// The session's id, and the resume token of its incarnation. Nil for an elicitation about a request, such as a login.
    let session: (id: String, journal: String)?
    let agent: String
    /// The agent's process id.
    let pid: Int32
    /// The agent's own id for the request, as JSON text.
    let requestId: [UInt8]
    /// The time of the request, in milliseconds since 1970.
    let createdTs: Int64
    /// The request's params as the agent wrote them, or the most important members of long ones.
    let params: [UInt8]
    /// Ordered like the permission requests.
    let place: ListPosition

    /// The members of an elicitation that lists repeat. The session is already named.
    private static let members = [
        "mode", "message", "requestedSchema", "url", "elicitationId", "toolCallId", "omittedBytes",
    ]

    func write(to writer: inout JSONWriter) {
        writer.member("sessionId", ifPresent: session?.id)
        writer.member("agent", agent)
        writer.member("journal", ifPresent: session?.journal)
        if session == nil { writer.member("pid", Int64(pid)) }
        writer.member("requestId", raw: requestId)
        writer.member("createdTs", createdTs)
        let params = try? JSONValue(validating: params)
        for name in Self.members {
            if let value = params?[name] { writer.member(name, raw: value.rawText) }
        }
    }
}

extension AgentRun {
    /// The elicitations that wait for an answer.
    var pendingElicitations: [PendingElicitation] {
        let asked = sessions?.router.pendingElicitations ?? []
        return asked.compactMap { request in
            let session = request.session.flatMap { sessions?.sessions[$0] }
            guard request.session == nil || session != nil else { return nil }
            return PendingElicitation(
                session: session.map { ($0.id, $0.journal) }, agent: name, pid: pid, requestId: request.id.rawText,
                createdTs: request.since, params: request.params,
                place: ListPosition(request.since, Int64(pid), Int64(request.number ?? 0)))
        }
    }
}
