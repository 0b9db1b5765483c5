extension JSONValue {
    /// The member whose name decodes to `name`, byte for byte. Of several the last counts, as in JavaScript.
    /// `nil` when there is none, or when this is not an object.
    public subscript(name: String) -> JSONValue? {
        var found: JSONValue?
        forEachMember { member, value in
            if decodedName(member, is: name) { found = value }
        }
        return found
    }

    /// The members in the order they were written, names decoded, repeated names included. Empty when not an object.
    public var members: [(name: String, value: JSONValue)] {
        var members: [(name: String, value: JSONValue)] = []
        forEachMember { member, value in
            let name = StringContents(member.start..<member.end).decodedString(storage.span)
            members.append((name, value))
        }
        return members
    }

    /// A name stands twice among its members, which readers take differently.
    public var repeatsName: Bool {
        let names = members.map(\.name)
        return Set(names).count < names.count
    }

    /// The elements in their order. Empty when this is not an array.
    public var elements: [JSONValue] {
        guard kind == .array else { return [] }
        var elements: [JSONValue] = []
        // The text was validated when the value was made, so no step can fail.
        var cursor = Cursor(offset: range.lowerBound)
        guard (try? cursor.enterContainer(storage.span, closing: .closeBracket)) == true else { return [] }
        repeat {
            guard let element = child(&cursor) else { return elements }
            elements.append(element)
        } while (try? cursor.advance(storage.span, closing: .closeBracket)) == true
        return elements
    }

    private func forEachMember(_ body: (MemberName, JSONValue) -> Void) {
        guard kind == .object else { return }
        // As in `elements`: no step can fail.
        var cursor = Cursor(offset: range.lowerBound)
        guard (try? cursor.enterContainer(storage.span, closing: .closeBrace)) == true else { return }
        repeat {
            guard let name = try? cursor.readName(storage.span), let value = child(&cursor) else { return }
            body(name, value)
        } while (try? cursor.advance(storage.span, closing: .closeBrace)) == true
    }

    private func child(_ cursor: inout Cursor) -> JSONValue? {
        let start = cursor.offset
        guard (try? cursor.skipValue(storage.span)) != nil else { return nil }
        return JSONValue(storage: storage, range: start..<cursor.offset)
    }

    private func decodedName(_ member: MemberName, is name: String) -> Bool {
        let written = member.start..<member.end
        guard member.hasEscapes else { return storage[written].elementsEqual(name.utf8) }
        return StringContents(written).decodedBytes(storage.span, .keepingLoneSurrogates).elementsEqual(name.utf8)
    }
}
