/// A session's subagents, with the subagents of these.
package struct SessionFamily: Sendable {
    /// In the order of a tree: each one after its parent, and the subagents of one session in the order of their
    /// beginnings.
    package let subagents: [ListedSession]
    /// More subagents exist than the bridge allows for one agent. They are not in the list.
    package let isCut: Bool
}

extension CommandClient {
    /// Finds the subagents of one incarnation of a session: those that began before its next incarnation.
    package func family(of session: ListedSession) async throws -> SessionFamily {
        var search = FamilySearch(session)
        try await eachSession {
            $0.member("sessionId", session.id)
            $0.member("agent", session.agent)
        } _: { page in
            page.forEach { search.note(incarnation: $0) }
            return true
        }
        // One pass for each generation: the list is not in the order of the tree, and only subagents are kept in memory.
        while search.beginGeneration() {
            try await eachSession { page in
                page.forEach { search.add($0) }
                return true
            }
        }
        return search.family
    }
}

/// Collects the subagents of a session, one generation after another. Pure.
struct FamilySearch {
    /// The bridge's limit for the child sessions of one agent.
    private static let limit = 4_096

    private let root: ListedSession
    /// The times between which a subagent of this incarnation began. They are known only if the session has other
    /// incarnations; imported sessions have the times of their entries, and no other incarnation.
    private var (begin, end) = (Int64.min, Int64.max)
    private var found: [ListedSession] = []
    private var ids: Set<String>
    /// The sessions whose subagents the present pass collects.
    private var parents: Set<String> = []
    private var next: Set<String>
    private var isCut = false

    init(_ root: ListedSession) {
        self.root = root
        ids = [root.id]
        next = [root.id]
    }

    mutating func note(incarnation: ListedSession) {
        guard incarnation.id == root.id, incarnation.agent == root.agent, incarnation.journal != root.journal else {
            return
        }
        if incarnation.createdTime < root.createdTime {
            begin = root.createdTime
        } else {
            end = min(end, incarnation.createdTime)
        }
    }

    /// Returns false if the last generation had no session.
    mutating func beginGeneration() -> Bool {
        (parents, next) = (next, [])
        return !parents.isEmpty
    }

    /// Call with the most recently active session first. Of a subagent's incarnations the first one counts.
    mutating func add(_ session: ListedSession) {
        guard session.agent == root.agent, let parent = session.parentId, parents.contains(parent),
            session.createdTime >= begin, session.createdTime < end, !ids.contains(session.id)
        else { return }
        guard found.count < Self.limit else { return isCut = true }
        ids.insert(session.id)
        next.insert(session.id)
        found.append(session)
    }

    var family: SessionFamily {
        let ordered = found.sorted { ($0.createdTime, $0.id) < ($1.createdTime, $1.id) }
        let rows = SessionTree.rows([root] + ordered)
        return SessionFamily(subagents: rows.map(\.session).filter { $0.id != root.id }, isCut: isCut)
    }
}
