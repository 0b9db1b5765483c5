/// The order in which sessions are listed as a tree: each one before its subagents. Pure.
///
/// A subagent is at the top level if its parent is not listed, or if it belongs to a cycle. Only a malformed list has a cycle.
package enum SessionTree {
    private struct Name: Hashable {
        let agent: String
        let id: String
    }

    /// A session, and how many listed sessions are above it.
    package struct Row: Sendable {
        package let session: ListedSession
        package let depth: Int
    }

    /// - Parameter sessions: In the order of the list, which is kept among the subagents of one session.
    package static func rows(_ sessions: [ListedSession]) -> [Row] {
        let names = sessions.map { Name(agent: $0.agent, id: $0.id) }
        // Of several incarnations of one session, the newest is listed first.
        let places = Dictionary(zip(names, names.indices)) { first, _ in first }
        var children: [Int: [Int]] = [:]
        var roots: [Int] = []
        for (index, session) in sessions.enumerated() {
            if let parent = session.parentId.flatMap({ places[Name(agent: session.agent, id: $0)] }), parent != index {
                children[parent, default: []].append(index)
            } else {
                roots.append(index)
            }
        }
        var walk = Walk(sessions: sessions, children: children)
        for index in roots { walk.visit(from: index) }
        for index in sessions.indices { walk.visit(from: index) }
        return walk.rows
    }

    /// A walk with a stack of its own, because an agent decides how deep the tree is.
    private struct Walk {
        let sessions: [ListedSession]
        let children: [Int: [Int]]
        var rows: [Row] = []
        private var isVisited: [Bool]

        init(sessions: [ListedSession], children: [Int: [Int]]) {
            self.sessions = sessions
            self.children = children
            isVisited = Array(repeating: false, count: sessions.count)
        }

        mutating func visit(from root: Int) {
            var waiting = [(index: root, depth: 0)]
            while let (index, depth) = waiting.popLast() {
                guard !isVisited[index] else { continue }
                isVisited[index] = true
                rows.append(Row(session: sessions[index], depth: depth))
                waiting += (children[index] ?? []).reversed().map { ($0, depth + 1) }
            }
        }
    }
}
