import JSONScan

/// Finds an object's members by name. Few members are searched one by one. Many members are hashed, so that decoding a
/// large object looks at each member once.
struct MemberIndex {
    /// Up to this count, comparing names is faster than hashing them.
    private static let walkLimit = 16

    private let object: JSONOutline.Node
    private let byName: [IndexedName: JSONOutline.Node]?

    init(_ outline: JSONOutline, of object: JSONOutline.Node) {
        self.object = object
        guard outline.count(of: object) > Self.walkLimit else {
            byName = nil
            return
        }
        var byName: [IndexedName: JSONOutline.Node] = [:]
        byName.reserveCapacity(outline.count(of: object))
        outline.forEachChild(of: object) { byName[IndexedName(outline.name(of: $0) ?? "")] = $0 }
        self.byName = byName
    }

    /// The last member with that name, as in JavaScript.
    func node(_ name: String, in outline: JSONOutline) -> JSONOutline.Node? {
        if let byName { return byName[IndexedName(name)] }
        var found: JSONOutline.Node?
        outline.forEachChild(of: object) { if outline.isNamed($0, name) { found = $0 } }
        return found
    }

    /// All members in text order. A repeated name appears at the place of the member that counts.
    func all(_ outline: JSONOutline) -> [(name: String, node: JSONOutline.Node)] {
        var all: [(name: String, node: JSONOutline.Node)] = []
        all.reserveCapacity(outline.count(of: object))
        outline.forEachChild(of: object) { member in
            let name = outline.name(of: member) ?? ""
            if node(name, in: outline) == member { all.append((name, member)) }
        }
        return all
    }
}

/// A name that is compared by its bytes. Swift's strings also treat canonically equivalent Unicode text as equal.
struct IndexedName: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: IndexedName, right: IndexedName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension JSONOutline {
    @inline(__always)
    func forEachChild(of container: Node, _ body: (Node) -> Void) {
        var next = firstChild(of: container)
        while let node = next {
            body(node)
            next = sibling(after: node)
        }
    }
}
