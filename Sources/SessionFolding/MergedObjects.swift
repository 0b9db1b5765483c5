import JSONScan

/// Objects of one kind, each merged from its updates as version 2 of ACP specifies: a member in an update replaces the
/// previous value, null clears it, and a missing member leaves it unchanged. Metadata is merged by its own members.
/// Pure.
///
/// The oldest objects are removed above ``countLimit``, and larger members than ``memberLimitBytes`` are left out. So
/// the size is limited to the product of both and of ``membersLimit``.
struct MergedObjects {
    private struct Object {
        let id: String
        var members: [(name: String, raw: [UInt8])] = []

        var byteCount: Int { members.reduce(id.utf8.count) { $0 + $1.name.utf8.count + $1.raw.count } }
    }

    /// An object has at most 10 members. ACP defines at most 8 for each kind.
    static let membersLimit = 10
    /// 1 KiB. An object with a longer id is left out.
    static let idLimitBytes = 1 << 10
    private static let nameLimitBytes = 64

    let countLimit: Int
    let memberLimitBytes: Int
    private let idName: String
    private var objects: [Object] = []

    /// - Parameter idName: The member that contains the id.
    init(idName: String, countLimit: Int, memberLimitBytes: Int) {
        self.idName = idName
        self.countLimit = countLimit
        self.memberLimitBytes = memberLimitBytes
    }

    var isEmpty: Bool { objects.isEmpty }
    var ids: [String] { objects.map(\.id) }
    var byteCount: Int { objects.reduce(0) { $0 + $1.byteCount } }

    func contains(_ id: String) -> Bool { objects.contains { $0.id == id } }

    /// The values of a member, of the oldest object first.
    func values(of name: String) -> [[UInt8]] {
        objects.compactMap { object in object.members.first { $0.name == name }?.raw }
    }

    /// - Returns: The object's id, or nil if the update was ignored.
    @discardableResult mutating func merge(_ update: JSONValue, except ignored: Set<String> = []) -> String? {
        guard let id = update[idName]?.stringValue, id.utf8.count <= Self.idLimitBytes else { return nil }
        if !contains(id) { append(id) }
        for (name, value) in update.members where name != "sessionUpdate" && !ignored.contains(name) {
            set(name, value, of: id)
        }
        return id
    }

    /// Sets one member. Does nothing if the object is unknown.
    mutating func set(_ name: String, _ value: JSONValue, of id: String) {
        guard let place = objects.firstIndex(where: { $0.id == id }), name.utf8.count <= Self.nameLimitBytes else {
            return
        }
        let old = objects[place].members.firstIndex { $0.name == name }
        let raw = MergedMember.raw(old.map { objects[place].members[$0].raw }, name, value)
        guard let raw, raw.count <= memberLimitBytes else {
            if let old { objects[place].members.remove(at: old) }
            return
        }
        if let old {
            objects[place].members[old].raw = raw
        } else if objects[place].members.count < Self.membersLimit {
            objects[place].members.append((name, raw))
        }
    }

    mutating func remove(_ id: String) { objects.removeAll { $0.id == id } }

    private mutating func append(_ id: String) {
        objects.append(Object(id: id))
        if objects.count > countLimit { objects.removeFirst() }
    }

    /// Writes the objects in the order in which they began.
    ///
    /// - Parameter more: Writes further members of the object with this id.
    func write(to writer: inout JSONWriter, with more: (String, inout JSONWriter) -> Void = { _, _ in }) {
        for object in objects {
            writer.object { writer in
                for member in object.members { writer.member(member.name, raw: member.raw) }
                more(object.id, &writer)
            }
        }
    }
}

/// The value of a member after an update.
enum MergedMember {
    /// - Returns: Nil if the update clears the member.
    static func raw(_ old: [UInt8]?, _ name: String, _ value: JSONValue) -> [UInt8]? {
        guard !value.isNull else { return nil }
        guard name == "_meta", value.kind == .object, let old, let known = try? JSONValue(validating: old) else {
            return Array(value.rawText)
        }
        let names = Set(value.members.map(\.name))
        return JSONWriter.object { writer in
            for (name, value) in known.members where !names.contains(name) { writer.member(name, raw: value.rawText) }
            for (name, value) in value.members { writer.member(name, raw: value.rawText) }
        }
    }
}
