/// A value that was encoded so far. Containers are classes, because types can write to one container while others are
/// open.
enum EncodedValue {
    case null
    case bool(Bool)
    case string(String)
    /// The text of a number.
    case number([UInt8])
    case raw(RawJSON)
    case object(EncodedObject)
    case array(EncodedArray)
    /// A value that is read after everything is encoded, because a `superEncoder` can be used at any time.
    case deferred(ValueEncoder)
}

final class EncodedArray {
    var elements: [EncodedValue] = []
}

final class EncodedObject {
    private(set) var members: [(name: String, value: EncodedValue)] = []

    /// Built when there are too many members for a linear search.
    private var places: [IndexedName: Int] = [:]
    private static let walkLimit = 16

    /// Sets a member. An existing member of the same name is replaced and keeps its position.
    func set(_ name: String, _ value: EncodedValue) {
        if let place = place(of: name) {
            members[place].value = value
            return
        }
        members.append((name, value))
        if members.count == Self.walkLimit + 1 {
            for (place, member) in members.enumerated() { places[IndexedName(member.name)] = place }
        } else if members.count > Self.walkLimit {
            places[IndexedName(name)] = members.count - 1
        }
    }

    subscript(name: String) -> EncodedValue? {
        place(of: name).map { members[$0].value }
    }

    private func place(of name: String) -> Int? {
        if members.count > Self.walkLimit { return places[IndexedName(name)] }
        return members.firstIndex { IndexedName($0.name) == IndexedName(name) }
    }
}
