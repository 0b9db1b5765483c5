/// Returns one canonical text for all spellings of a value. Members are sorted by the bytes of their decoded names, and
/// the last member of a repeated name counts. White space is left out, and strings are escaped only if required.
///
/// Numbers keep their text, so `1` and `1.0` stay different. A lone surrogate stays an escape (`\ud800`). The time is
/// proportional to the text. Nesting uses no stack. During the call, memory use can reach about forty bytes for each
/// byte of the text, so use this only for texts of limited size, such as the params of a request.
public func canonicalText(of value: JSONValue) -> [UInt8] {
    CanonicalTree(value).canonicalText()
}

/// The value's nodes in one array, so that reading and writing need no recursion.
private struct CanonicalTree {
    private struct Node {
        enum Content {
            case object, array
            /// The scalar's range in the storage.
            case scalar(Range<Int>)
        }

        let content: Content
        /// The decoded name of a member, in WTF-8; empty for elements.
        let name: [UInt8]
        var children: [Int] = []
    }

    private let storage: [UInt8]
    private var nodes: [Node] = []

    init(_ value: JSONValue) {
        storage = value.storage
        // The text was validated when the value was made, so no step can fail.
        let text = value.storage[...]
        try? read(text.span, from: value.range.lowerBound)
    }

    // MARK: Reading

    private mutating func read(_ text: Span<UInt8>, from start: Int) throws(JSONSyntaxError) {
        var cursor = Cursor(offset: start)
        var open: [Int] = []
        var name: [UInt8] = []
        while true {
            let isEntered = try readNode(&cursor, text, name: name, parent: open.last)
            if isEntered {
                open.append(nodes.count - 1)
            } else {
                while let parent = open.last, try !cursor.advance(text, closing: closing(of: parent)) {
                    open.removeLast()
                }
            }
            guard let parent = open.last else { return }
            name = try readName(&cursor, text, in: parent)
        }
    }

    /// Adds one node. Returns true for a non-empty container; the cursor is then inside it.
    private mutating func readNode(
        _ cursor: inout Cursor, _ text: Span<UInt8>, name: [UInt8], parent: Int?
    ) throws(JSONSyntaxError) -> Bool {
        if let parent { nodes[parent].children.append(nodes.count) }
        switch cursor.peek(text) {
        case .openBrace:
            nodes.append(Node(content: .object, name: name))
            return try cursor.enterContainer(text, closing: .closeBrace)
        case .openBracket:
            nodes.append(Node(content: .array, name: name))
            return try cursor.enterContainer(text, closing: .closeBracket)
        default:
            let start = cursor.offset
            try cursor.skipValue(text)
            nodes.append(Node(content: .scalar(start..<cursor.offset), name: name))
            return false
        }
    }

    private func readName(_ cursor: inout Cursor, _ text: Span<UInt8>, in parent: Int) throws(JSONSyntaxError)
        -> [UInt8]
    {
        guard case .object = nodes[parent].content else { return [] }
        let name = try cursor.readName(text)
        return StringContents(name.start..<name.end).decodedBytes(text, .keepingLoneSurrogates)
    }

    private func closing(of node: Int) -> UInt8 {
        if case .object = nodes[node].content { .closeBrace } else { .closeBracket }
    }

    // MARK: Writing

    func canonicalText() -> [UInt8] {
        var text: [UInt8] = []
        var open: [(node: Int, rest: ArraySlice<Int>)] = []
        if !nodes.isEmpty { begin(0, &open, &text) }
        while let top = open.indices.last {
            let parent = open[top].node
            guard let child = open[top].rest.popFirst() else {
                text.append(closing(of: parent))
                open.removeLast()
                continue
            }
            if let last = text.last, last != .openBrace, last != .openBracket { text.append(.comma) }
            if case .object = nodes[parent].content {
                appendString(nodes[child].name, to: &text)
                text.append(.colon)
            }
            begin(child, &open, &text)
        }
        return text
    }

    /// Writes a whole scalar, or the opening of a container. The caller then writes the container's children.
    private func begin(_ node: Int, _ open: inout [(node: Int, rest: ArraySlice<Int>)], _ text: inout [UInt8]) {
        switch nodes[node].content {
        case .object:
            text.append(.openBrace)
            open.append((node, sortedMembers(of: node)[...]))
        case .array:
            text.append(.openBracket)
            open.append((node, nodes[node].children[...]))
        case .scalar(let range) where storage[range.lowerBound] == .quote:
            let contents = StringContents(ofStringAt: range)
            let whole = storage[...]
            appendString(contents.decodedBytes(whole.span, .keepingLoneSurrogates), to: &text)
        case .scalar(let range):
            text.append(contentsOf: storage[range])
        }
    }

    private func sortedMembers(of node: Int) -> [Int] {
        let sorted = nodes[node].children.sorted { left, right in
            if nodes[left].name == nodes[right].name { return left < right }
            return nodes[left].name.lexicographicallyPrecedes(nodes[right].name)
        }
        return sorted.indices.compactMap { index in
            let isLast = index + 1 == sorted.count || nodes[sorted[index]].name != nodes[sorted[index + 1]].name
            return isLast ? sorted[index] : nil
        }
    }

    /// Writes a string from its WTF-8 bytes.
    private func appendString(_ contents: [UInt8], to text: inout [UInt8]) {
        text.append(.quote)
        var at = 0
        while at < contents.count {
            if contents[at] == 0xed, at + 2 < contents.count, contents[at + 1] >= 0xa0 {
                text.append(.backslash)
                let low = UInt16(contents[at + 1] & 0x3f) << 6 | UInt16(contents[at + 2] & 0x3f)
                appendHexEscape(0xd000 | low, to: &text)
                at += 3
            } else {
                appendEscaped(contents[at], to: &text)
                at += 1
            }
        }
        text.append(.quote)
    }
}
