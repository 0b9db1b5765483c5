import Agents
import EventLoop
import SessionRecords
import Tinyvex

/// The filter of the lists of open requests: `{"sessionId":"s1","agent":"codex","journal":"9f03c2aa-16-1"}`. Pure.
struct PendingFilter {
    private let sessionId: String?
    private let agent: String?
    private let journal: String?

    init(_ params: Parameters) throws(Rejection) {
        sessionId = try params.optionalString("sessionId", limitBytes: SessionReference.sessionIdLimitBytes)
        agent = try params.optionalString("agent", limitBytes: SessionReference.agentLimitBytes)
        journal = try params.optionalJournal()
    }

    /// - Parameters: the session of a request, nil for a request without one, and its agent.
    func fits(_ session: String?, _ incarnation: String?, agent other: String) -> Bool {
        (sessionId == nil || sessionId == session) && (agent == nil || agent == other)
            && (journal == nil || isSame(incarnation))
    }

    /// Returns true for a request without a session if its agent runs the wanted session, or if none is wanted. A filter
    /// with a journal never fits, because links to one session show nothing else, and such a request can be a login.
    @LoopActor func fits(requestOf run: AgentRun) -> Bool {
        guard journal == nil, agent == nil || agent == run.name else { return false }
        return sessionId.map { run.sessions?.sessions[$0] != nil } ?? true
    }

    private func isSame(_ incarnation: String?) -> Bool {
        guard let wanted = journal.flatMap(Journal.init), let found = incarnation.flatMap(Journal.init) else {
            return false
        }
        return wanted.isSameIncarnation(as: found)
    }
}
