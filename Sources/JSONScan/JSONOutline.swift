/// The places of all values in one JSON text, found in one pass. A reader can reach each value without scanning again
/// the text before it or inside it.
///
/// This is meant for readers that visit most of a text, such as a `Decoder`. It uses 32 bytes for each value. Nodes are
/// numbered in the order of the text, and the outermost one is `root`:
///
///     {"a":[1,2],"b":null}   // 0: {…}  1: a [1,2]  2: 1  3: 2  4: b null
public struct JSONOutline: Sendable {
    /// The number of a value. Valid only for the outline that returned it.
    public typealias Node = Int

    /// The whole text, unchanged.
    public let text: [UInt8]

    private(set) var entries: [Entry] = []

    /// The record of one value. Its offsets have 32 bits, because a large text has many values.
    struct Entry {
        var start: UInt32
        var end: UInt32 = 0
        /// The first entry after this value and everything inside it.
        var next: UInt32 = 0
        var parent: UInt32
        /// Offset of a member's name, without quotes. An element has an empty name, and `nameStart` is its index.
        var nameStart: UInt32
        var nameEnd: UInt32
        /// The number of values directly inside a container.
        var count: UInt32 = 0
        var isMember: Bool
        var nameHasEscapes: Bool
        var hasEscapes = false
    }

    /// Reads one JSON text by the rules of `scanEnvelope`: strict RFC 8259, at most 512 levels deep. A text of 4 GiB or
    /// more is refused as too long.
    public init(_ text: [UInt8]) throws(JSONSyntaxError) {
        self.text = text
        guard text.count < UInt32.max else { throw JSONSyntaxError(reason: .tooLong, offset: Int(UInt32.max)) }
        entries.reserveCapacity(min(text.count / 16, 1 << 16) + 1)
        let slice = text[...]
        let span = slice.span
        var cursor = Cursor()
        cursor.skipWhiteSpace(span)
        try read(&cursor, span)
        try cursor.finish(span)
    }

    /// The outermost value.
    public var root: Node { 0 }
}

// MARK: - Reading

extension JSONOutline {
    private static var none: UInt32 { .max }

    private mutating func read(_ cursor: inout Cursor, _ span: Span<UInt8>) throws(JSONSyntaxError) {
        var parent = Self.none
        var name = MemberName(start: 0, end: 0, hasEscapes: false)
        repeat {
            if try open(&cursor, span, name, in: parent) {
                parent = UInt32(truncatingIfNeeded: entries.count &- 1)
            } else {
                try leaveContainers(&cursor, span, &parent)
            }
            if parent != Self.none, isObject(parent) { name = try cursor.readName(span) }
        } while parent != Self.none
    }

    /// Adds one value. Returns true for a non-empty container; the cursor is then inside it.
    private mutating func open(
        _ cursor: inout Cursor, _ span: Span<UInt8>, _ name: MemberName, in parent: UInt32
    ) throws(JSONSyntaxError) -> Bool {
        var entry = Entry(
            start: UInt32(truncatingIfNeeded: cursor.offset), parent: parent,
            nameStart: UInt32(truncatingIfNeeded: name.start), nameEnd: UInt32(truncatingIfNeeded: name.end),
            isMember: false, nameHasEscapes: name.hasEscapes)
        if parent != Self.none {
            entry.isMember = isObject(parent)
            if !entry.isMember { entry.nameStart = entries[Int(parent)].count }
            entries[Int(parent)].count &+= 1
        }
        var isEntered = false
        switch cursor.peek(span) {
        case .openBrace: isEntered = try cursor.enterContainer(span, closing: .closeBrace)
        case .openBracket: isEntered = try cursor.enterContainer(span, closing: .closeBracket)
        case .quote: entry.hasEscapes = try cursor.skipString(span)
        default: try cursor.skipLiteralOrNumber(span)
        }
        entries.append(entry)
        if !isEntered { close(entries.count &- 1, at: cursor.offset) }
        return isEntered
    }

    /// Call after a value: closes the containers that end here, up to the container that holds another value, if there
    /// is one.
    private mutating func leaveContainers(
        _ cursor: inout Cursor, _ span: Span<UInt8>, _ parent: inout UInt32
    ) throws(JSONSyntaxError) {
        while parent != Self.none {
            let closing: UInt8 = isObject(parent) ? .closeBrace : .closeBracket
            if try cursor.advance(span, closing: closing) { return }
            close(Int(parent), at: cursor.offset)
            parent = entries[Int(parent)].parent
        }
    }

    private mutating func close(_ index: Int, at end: Int) {
        entries[index].end = UInt32(truncatingIfNeeded: end)
        entries[index].next = UInt32(truncatingIfNeeded: entries.count)
    }

    private func isObject(_ index: UInt32) -> Bool {
        text[Int(entries[Int(index)].start)] == .openBrace
    }
}
