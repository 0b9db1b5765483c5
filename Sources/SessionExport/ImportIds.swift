import FieldLimits
import Tinyvex

/// The ids of the sessions of one import: a session, and after it its child sessions. Pure.
///
/// The first session gets an id from the bridge. The id of a child is that id, a dot and the child's id in the file. So
/// an id in a line can be replaced before the child's own lines arrive.
package struct ImportIds: Equatable, Sendable {
    /// The bridge's limit for the child sessions of one agent.
    package static let childLimit = 4_096

    /// The id of the first session.
    package let root: String
    /// The id of the session to which the next lines belong.
    package private(set) var current: String
    /// The id of the first session in the file, if its head has been read.
    private var exportedRoot: String?
    /// The ids of the children in the file whose heads have been read.
    private var children: Set<String> = []

    package init(root: String) {
        self.root = root
        current = root
    }

    /// A child session that begins.
    package struct Child: Equatable, Sendable {
        package let id: String
        package let parentId: String
    }

    /// Begins the session of a head. Returns nil for the head of the first session.
    package mutating func begin(_ head: ExportHead) throws(ExportLine.Fault) -> Child? {
        guard let parent = head.parentId else {
            guard exportedRoot == nil else { throw ExportLine.Fault(reason: "begins another session") }
            exportedRoot = head.sessionId
            return nil
        }
        guard parent == exportedRoot || children.contains(parent) else {
            throw ExportLine.Fault(reason: "has the parent \(quoted(parent)), which no earlier line begins")
        }
        guard head.sessionId != exportedRoot, children.insert(head.sessionId).inserted else {
            throw ExportLine.Fault(reason: "begins the session \(quoted(head.sessionId)) again")
        }
        guard children.count <= Self.childLimit else {
            throw ExportLine.Fault(reason: "is beyond the limit of \(Self.childLimit) child sessions")
        }
        let id = imported(head.sessionId)
        guard id.utf8.count <= FieldLimit.sessionIdBytes else {
            throw ExportLine.Fault(reason: "has a 'sessionId' that is too long for a child session")
        }
        current = id
        return Child(id: id, parentId: imported(parent))
    }

    /// The new id of another session than the current one.
    ///
    /// - Parameter id: The id in the file, of the first session or of a child, whose head can follow later.
    func imported(_ id: String) -> String { id == exportedRoot ? root : "\(root).\(id)" }
}
