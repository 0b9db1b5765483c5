// MARK: - Structure

extension JSONOutline {
    /// The number of direct members or elements of a value; 0 for a scalar.
    public func count(of node: Node) -> Int { Int(entries[node].count) }

    /// The first member or element, or `nil` when there is none.
    public func firstChild(of node: Node) -> Node? {
        entries[node].count > 0 ? node + 1 : nil
    }

    /// The member or element after `node` in its container, or `nil` when `node` is the last.
    public func sibling(after node: Node) -> Node? {
        let next = Int(entries[node].next)
        return next < entries.count && entries[next].parent == entries[node].parent ? next : nil
    }

    /// The container of `node`, or `nil` for the outermost value.
    public func parent(of node: Node) -> Node? {
        node == root ? nil : Int(entries[node].parent)
    }

    /// The position in an array, from 0. `nil` for a member and for the outermost value.
    public func index(of node: Node) -> Int? {
        node == root || entries[node].isMember ? nil : Int(entries[node].nameStart)
    }
}

// MARK: - Names

extension JSONOutline {
    /// A member's decoded name; lone surrogates (`"\ud800"`) become U+FFFD. `nil` for an element and for the outermost
    /// value.
    public func name(of node: Node) -> String? {
        let entry = entries[node]
        guard entry.isMember else { return nil }
        return string(at: Int(entry.nameStart)..<Int(entry.nameEnd), hasEscapes: entry.nameHasEscapes)
    }

    /// True when the member's name decodes to `name`, byte for byte.
    public func isNamed(_ node: Node, _ name: String) -> Bool {
        let entry = entries[node]
        guard entry.isMember else { return false }
        if entry.nameHasEscapes { return self.name(of: node)?.utf8.elementsEqual(name.utf8) == true }
        guard Int(entry.nameEnd &- entry.nameStart) == name.utf8.count else { return false }
        var at = Int(entry.nameStart)
        for byte in name.utf8 {
            guard text[at] == byte else { return false }
            at &+= 1
        }
        return true
    }
}

// MARK: - Values

extension JSONOutline {
    /// Determined by the first byte alone.
    public func kind(of node: Node) -> JSONValue.Kind { value(of: node).kind }

    /// The value's range in the text.
    public func range(of node: Node) -> Range<Int> {
        Int(entries[node].start)..<Int(entries[node].end)
    }

    /// The value as a `JSONValue`, which shares the text's bytes.
    public func value(of node: Node) -> JSONValue {
        JSONValue(storage: text, range: range(of: node))
    }

    /// The decoded string, or `nil` for any other kind of value. Lone surrogates (`"\ud800"`) become U+FFFD.
    public func string(of node: Node) -> String? {
        let entry = entries[node]
        guard text[Int(entry.start)] == .quote else { return nil }
        return string(at: Int(entry.start) + 1..<Int(entry.end) - 1, hasEscapes: entry.hasEscapes)
    }

    private func string(at range: Range<Int>, hasEscapes: Bool) -> String {
        guard hasEscapes else { return String(decoding: text[range], as: UTF8.self) }
        let slice = text[...]
        return StringContents(range).decodedString(slice.span)
    }
}
