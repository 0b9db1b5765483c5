import SessionRecords
import SessionStreams

extension SessionRegistry {
    /// The names of the incarnations of a live session and of its parents in the log. Without one whose claim the log has
    /// not answered.
    package func lineage(of session: Session) -> [String] {
        var lineage: [String] = []
        var next: Session? = session
        // Agents report the parents. The limit ends a cycle, too.
        for _ in 0..<Self.depthLimit {
            guard let member = next else { break }
            if let journal = Journal(member.journal) { lineage.append(journal.incarnation) }
            next = member.parentId.flatMap { id in
                live.sessions(id: id).first { $0.agent == member.agent && $0.tenant == member.tenant }
            }
        }
        return lineage
    }

    private static let depthLimit = 16
}
