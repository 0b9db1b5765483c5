import FieldLimits
import JSONScan

/// The child sessions that an agent has announced by `subagent_update` in their parents, in both versions of ACP. A
/// child has one parent, which never changes.
struct ChildSessions: Codable {
    private struct Child: Codable {
        let parent: String
        /// True while the agent allows `session/cancel` of the child.
        var canBeCancelled = false
        /// True if the child has reported a state itself. Its parent's copy then no longer counts.
        var hasReported = false
        /// The state in its parent's latest report of it, as the agent wrote it: `{"state":"running"}`. Nil if there is none,
        /// or if it is too long.
        var state: [UInt8]?
    }

    /// 4 KiB. An error in a state has a message for a person.
    private static let stateLimitBytes = 4 << 10

    private var children: [String: Child] = [:]
    /// The children of each parent.
    private var childrenOf: [String: Set<String>] = [:]
    /// The children that are busy or have a busy descendant.
    private var busy: Set<String> = []
    /// The number of each parent's children in `busy`.
    private var busyCounts: [String: Int] = [:]

    /// The rest follows from these.
    private enum CodingKeys: CodingKey {
        case children
    }

    init() {}

    init(from decoder: any Decoder) throws {
        children = try decoder.container(keyedBy: CodingKeys.self).decode([String: Child].self, forKey: .children)
        for (id, child) in children { childrenOf[child.parent, default: []].insert(id) }
    }

    /// The number of children to keep. Further children are treated like sessions without a parent.
    static let limit = 4096
    /// The number of generations. A deeper child is treated like a session without a parent.
    static let depthLimit = 64

    var isEmpty: Bool { children.isEmpty }

    /// Handles a `subagent_update` in `parent`. Returns the child's id, or nil if the announcement cannot be true: the
    /// child has another parent, or is its own ancestor.
    mutating func announced(by update: JSONValue, in parent: String) -> String? {
        guard let child = update["sessionId"]?.publishedSessionId, accepts(child, of: parent) else { return nil }
        if let capabilities = update["capabilities"] {
            children[child, default: Child(parent: parent)].canBeCancelled = capabilities["cancel"]?.kind == .object
        } else if children[child] == nil {
            children[child] = Child(parent: parent)
        }
        childrenOf[parent, default: []].insert(child)
        if let state = update["state"], state.kind == .object {
            children[child]?.state = state.rawText.count <= Self.stateLimitBytes ? Array(state.rawText) : nil
        }
        return child
    }

    private func accepts(_ child: String, of parent: String) -> Bool {
        if let known = children[child] { return known.parent == parent }
        guard child != parent, children.count < Self.limit else { return false }
        let ancestors = ancestors(of: parent)
        return !ancestors.contains(child) && ancestors.count + 1 < Self.depthLimit
    }

    /// All children, in no order.
    var all: [String] { Array(children.keys) }

    func isChild(_ session: String) -> Bool { children[session] != nil }
    func parent(of session: String) -> String? { children[session]?.parent }
    func canBeCancelled(_ session: String) -> Bool { children[session]?.canBeCancelled == true }
    func hasReported(_ session: String) -> Bool { children[session]?.hasReported == true }

    /// The state in the parent's latest report of the child.
    func state(of session: String) -> [UInt8]? { children[session]?.state }

    mutating func noteReport(of session: String) { children[session]?.hasReported = true }

    /// The session's parent, the parent of that session, and so on.
    func ancestors(of session: String) -> [String] {
        guard !children.isEmpty else { return [] }
        var ancestors: [String] = []
        var current = session
        // A child can be announced before its parent. That makes no cycle, because each announcement is checked. The limit
        // also holds for handed-over states.
        while let parent = children[current]?.parent, ancestors.count < 2 * Self.depthLimit {
            ancestors.append(parent)
            current = parent
        }
        return ancestors
    }

    /// The session's children, their children, and so on, in no order.
    func descendants(of session: String) -> [String] {
        var found: [String] = []
        var parents = [session]
        // A handed-over state can have a cycle.
        while let parent = parents.popLast(), found.count < children.count {
            guard let children = childrenOf[parent] else { continue }
            found += children
            parents += children
        }
        return found
    }

    /// The session's descendants, each parent before its children, and children of one generation by their ids.
    func generations(below session: String) -> [String] {
        let depths = descendants(of: session).map { (depth: ancestors(of: $0).count, id: $0) }
        return depths.sorted { $0 < $1 }.map(\.id)
    }

    /// Removes the rights that the agent has granted below this session, and the states. The agent reports both again
    /// after it has resumed the session.
    mutating func revokeGrants(below session: String) {
        for child in descendants(of: session) {
            children[child]?.canBeCancelled = false
            children[child]?.state = nil
        }
    }

    mutating func remove(_ session: String) {
        guard let child = children.removeValue(forKey: session) else { return }
        childrenOf[child.parent]?.remove(session)
        if childrenOf[child.parent]?.isEmpty == true { childrenOf[child.parent] = nil }
        if busy.remove(session) != nil { countBusy(-1, in: child.parent) }
    }

    // MARK: Work of descendants

    /// True if one of the session's descendants was busy when ``noteWork(of:_:)`` was called last.
    func hasBusyDescendant(_ session: String) -> Bool { busyCounts[session] != nil }

    /// Call when the session begins or ends its work. Returns the ancestors of which ``hasBusyDescendant(_:)`` has changed.
    ///
    /// - Parameter isBusy: returns whether the session itself is at work, without its descendants.
    mutating func noteWork(of session: String, _ isBusy: (String) -> Bool) -> [String] {
        var changed: [String] = []
        var current = session
        while let parent = children[current]?.parent, changed.count < 2 * Self.depthLimit {
            let isNowBusy = hasBusyDescendant(current) || isBusy(current)
            guard isNowBusy != busy.contains(current) else { break }
            if isNowBusy { busy.insert(current) } else { busy.remove(current) }
            let before = hasBusyDescendant(parent)
            countBusy(isNowBusy ? 1 : -1, in: parent)
            guard before != hasBusyDescendant(parent) else { break }
            changed.append(parent)
            current = parent
        }
        return changed
    }

    private mutating func countBusy(_ change: Int, in parent: String) {
        let count = busyCounts[parent, default: 0] + change
        busyCounts[parent] = count > 0 ? count : nil
    }
}
