import BridgeRequests

/// The running sessions between which a person switches, in an order that stays the same while they work: the oldest first.
/// Pure.
struct SessionRing {
    /// 1,000 sessions. Further ones are reached by their names.
    static let limit = 1_000

    private let sessions: [ListedSession]
    /// The subagents, each with the key of its session.
    private var subagents: [(session: ListedSession, root: String)] = []

    /// - Parameter running: With subagents, which are part of their session.
    init(_ running: [ListedSession]) {
        sessions = running.filter { $0.parentId == nil }
            .sorted { ($0.createdTime, $0.key) < ($1.createdTime, $1.key) }
        let known = Dictionary(running.map { ($0.nameKey, $0) }) { first, _ in first }
        for session in running where session.parentId != nil {
            if let root = Self.root(of: session, known) { subagents.append((session, root.key)) }
        }
    }

    /// 64 generations: the bridge's limit.
    private static let depthLimit = 64

    private static func root(of session: ListedSession, _ known: [String: ListedSession]) -> ListedSession? {
        var root = session
        for _ in 0..<depthLimit {
            guard let parent = root.parentId else { return root }
            guard let next = known[root.nameKey(of: parent)] else { return nil }
            root = next
        }
        return nil
    }

    /// The session that comes `step` places after this one; nil if there is no other.
    func session(_ step: Int, after present: ListedSession) -> ListedSession? {
        guard let place = sessions.firstIndex(where: { $0.key == present.key }) else {
            return step > 0 ? sessions.first : sessions.last
        }
        let count = sessions.count
        let next = sessions[(place + step % count + count) % count]
        return next.key == present.key ? nil : next
    }

    func session(_ key: String) -> ListedSession? { sessions.first { $0.key == key } }

    /// The sessions, other than this one, that wait for an answer, or have a subagent that does. The next one in the order
    /// comes first.
    func waiting(_ pending: PendingCounts, after present: ListedSession) -> [ListedSession] {
        let asking = Set(subagents.filter { pending[$0.session] > 0 }.map(\.root))
        let place = sessions.firstIndex { $0.key == present.key } ?? -1
        return (sessions[(place + 1)...] + sessions[..<max(0, place)])
            .filter { pending[$0] > 0 || asking.contains($0.key) }
    }
}
