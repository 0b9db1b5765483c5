/// Checks in one pass that `text` is one JSON text by RFC 8259, and records where its envelope members are.
///
/// The check is strict. UTF-8 must be well-formed. Control bytes in strings and a byte order mark are refused. White
/// space around the value is allowed; an empty text is not. Lone surrogate escapes and numbers out of every type's
/// range are allowed by the grammar. Nesting needs no memory and no stack, and is limited to 512 levels.
public func scanEnvelope(_ text: Span<UInt8>) throws(JSONSyntaxError) -> Envelope {
    var scan = EnvelopeScan()
    try scan.run(text)
    return scan.envelope
}

/// Same as `scanEnvelope(_:)` over a `Span`, for bytes that are still in a read buffer. The pointer is not kept.
public func scanEnvelope(_ text: UnsafeRawBufferPointer) throws(JSONSyntaxError) -> Envelope {
    try scanEnvelope(text.assumingMemoryBound(to: UInt8.self).span)
}

private struct EnvelopeScan {
    var envelope = Envelope()
    private var cursor = Cursor()
    private var level = Level.message

    mutating func run(_ text: Span<UInt8>) throws(JSONSyntaxError) {
        cursor.skipWhiteSpace(text)
        switch cursor.peek(text) {
        case .openBrace:
            envelope.shape = .object
            try scanMessage(text)
        case .openBracket:
            envelope.shape = .array
            try cursor.skipContainer(text)
        default: try cursor.skipValue(text)
        }
        try cursor.finish(text)
    }

    /// Reads the members of the message, of its params and of their update in one loop. All other values are skipped.
    private mutating func scanMessage(_ text: Span<UInt8>) throws(JSONSyntaxError) {
        guard try cursor.enterContainer(text, closing: .closeBrace) else { return }
        while true {
            if try entersLevel(text) { continue }
            guard try advance(text) else { return }
        }
    }

    /// Reads one member. Returns true when its value is the next level's object; the cursor is then inside that object.
    @inline(__always)
    private mutating func entersLevel(_ text: Span<UInt8>) throws(JSONSyntaxError) -> Bool {
        let name = PackedName(try cursor.readName(text), in: text)
        guard let member = level.member(named: name) else {
            try cursor.skipValue(text)
            return false
        }
        envelope.open(member, at: cursor.offset)
        if let inner = level.inner(of: member), cursor.peek(text) == .openBrace {
            if try cursor.enterContainer(text, closing: .closeBrace) {
                level = inner
                return true
            }
        } else {
            try cursor.skipValue(text)
        }
        envelope.close(member, at: cursor.offset)
        return false
    }

    /// Call after a value: returns false when the message has ended.
    private mutating func advance(_ text: Span<UInt8>) throws(JSONSyntaxError) -> Bool {
        while try !cursor.advance(text, closing: .closeBrace) {
            guard let (member, outer) = level.owner else { return false }
            envelope.close(member, at: cursor.offset)
            level = outer
        }
        return true
    }
}

/// The three objects that contain the envelope's members.
private enum Level {
    case message, params, update

    @inline(__always)
    func member(named name: PackedName) -> Envelope.Member? {
        switch self {
        case .message:
            if name == PackedName("method") { return .method }
            if name == PackedName("params") { return .params }
            if name == PackedName("id") { return .id }
            if name == PackedName("result") { return .result }
            if name == PackedName("error") { return .error }
        case .params:
            if name == PackedName("sessionId") { return .sessionId }
            if name == PackedName("update") { return .update }
        case .update:
            if name == PackedName("sessionUpdate") { return .updateKind }
            if name == PackedName("messageId") { return .messageId }
        }
        return nil
    }

    @inline(__always)
    func inner(of member: Envelope.Member) -> Level? {
        switch member {
        case .params: .params
        case .update: .update
        default: nil
        }
    }

    /// The member that has this object as its value, and the level that contains the member. Nil for the message
    /// itself.
    @inline(__always)
    var owner: (member: Envelope.Member, level: Level)? {
        switch self {
        case .message: nil
        case .params: (.params, .message)
        case .update: (.update, .params)
        }
    }
}
