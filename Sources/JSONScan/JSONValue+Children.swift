extension JSONValue {
    /// The member with a name that decodes to `name`, byte for byte. If the name is repeated, the last member counts,
    /// as in JavaScript. `nil` when the member does not exist, or when this is not an object.
    public subscript(name: String) -> JSONValue? {
        var found: JSONValue?
        forEachMember { member, value in
            if decodedName(member, is: name) { found = value }
        }
        return found
    }

    /// The members in text order, with decoded names, repeated names included. Empty when this is not an object.
    public var members: [(name: String, value: JSONValue)] {
        var members: [(name: String, value: JSONValue)] = []
        let text = storage[...]
        forEachMember { member, value in
            let name = StringContents(member.start..<member.end).decodedString(text.span)
            members.append((name, value))
        }
        return members
    }

    /// True when two members have the same name. Readers disagree on which of the two counts.
    public var repeatsName: Bool {
        let names = members.map(\.name)
        return Set(names).count < names.count
    }

    /// The elements in text order. Empty when this is not an array.
    public var elements: [JSONValue] { elements(atMost: .max) ?? [] }

    /// The elements in text order. Nil if there are more than `limit`: an array of any number would need far more memory than
    /// its text. Empty when this is not an array.
    package func elements(atMost limit: Int) -> [JSONValue]? {
        guard kind == .array else { return [] }
        var elements: [JSONValue] = []
        // The text was validated when the value was created, so no step can fail.
        var cursor = Cursor(offset: range.lowerBound)
        let text = storage[...]
        guard (try? cursor.enterContainer(text.span, closing: .closeBracket)) == true else { return [] }
        repeat {
            guard let element = child(&cursor) else { return elements }
            guard elements.count < limit else { return nil }
            elements.append(element)
        } while (try? cursor.advance(text.span, closing: .closeBracket)) == true
        return elements
    }

    private func forEachMember(_ body: (MemberName, JSONValue) -> Void) {
        guard kind == .object else { return }
        // No step can fail, as in `elements`.
        var cursor = Cursor(offset: range.lowerBound)
        let text = storage[...]
        guard (try? cursor.enterContainer(text.span, closing: .closeBrace)) == true else { return }
        repeat {
            guard let name = try? cursor.readName(text.span), let value = child(&cursor) else { return }
            body(name, value)
        } while (try? cursor.advance(text.span, closing: .closeBrace)) == true
    }

    private func child(_ cursor: inout Cursor) -> JSONValue? {
        let start = cursor.offset
        let text = storage[...]
        guard (try? cursor.skipValue(text.span)) != nil else { return nil }
        return JSONValue(storage: storage, range: start..<cursor.offset)
    }

    private func decodedName(_ member: MemberName, is name: String) -> Bool {
        let written = member.start..<member.end
        guard member.hasEscapes else { return storage[written].elementsEqual(name.utf8) }
        let text = storage[...]
        return StringContents(written).decodedBytes(text.span, .keepingLoneSurrogates).elementsEqual(name.utf8)
    }
}
