import EventLoop
import FieldLimits

/// Ids that several agents of one name run at once, as when a second editor loads a session that runs. Each agent has a history
/// of its own, which the other one does not know.
extension SessionRegistry {
    /// True if another running session has the same id, agent and tenant.
    package func runsTwice(_ session: Session) -> Bool {
        live.sessions(id: session.id).contains { $0 !== session && $0.isLive && Name($0) == Name(session) }
    }

    /// A sentence for each session that runs more than once, for at most 20.
    package var repeatedSessionWarnings: [String] {
        let names = live.repeatedIds.flatMap { id in
            Dictionary(grouping: live.sessions(id: id).filter(\.isLive)) { Name($0) }
                .values.filter { $0.count > 1 }
        }
        return Array(names.map(Self.warning).sorted().prefix(Self.warningLimit))
    }

    private static let warningLimit = 20

    private struct Name: Hashable {
        let agent: String
        let tenant: String?

        @LoopActor init(_ session: Session) { (agent, tenant) = (session.agent, session.tenant) }
    }

    private static func warning(_ sessions: [Session]) -> String {
        let (id, agent) = (sessions[0].id.prefix(scalars: 100), sessions[0].agent)
        let journals = sessions.map { $0.journal.isEmpty ? "(not stored yet)" : $0.journal }
        return "\(sessions.count) agents of \(agent) run the session \(id), and none knows what is said to the others; "
            + "`acpbridge stop JOURNAL` ends one of them: \(journals.joined(separator: ", "))."
    }
}
