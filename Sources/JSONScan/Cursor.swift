/// A position in one JSON text that moves forward token by token, by the rules of RFC 8259.
///
/// A cursor holds no bytes. Each step gets the text as a parameter, so the scan needs no stored pointer and no copy.
/// Reading past the end returns 0, which no rule accepts.
struct Cursor {
    /// How many arrays and objects can be open at once. Foundation has the same limit, which is far above what peers
    /// send. It bounds the bit stack of `skipContainer`.
    static let maxDepth = 512

    var offset: Int
    private(set) var depth = 0

    init(offset: Int = 0) {
        self.offset = offset
    }

    @inline(__always)
    func peek(_ text: Span<UInt8>) -> UInt8 {
        offset < text.count ? text[offset] : 0
    }

    @inline(__always)
    mutating func skipWhiteSpace(_ text: Span<UInt8>) {
        while offset < text.count, text[offset] <= .space, text[offset].isJSONWhiteSpace { offset &+= 1 }
    }

    /// The error for a byte that no rule allows, or for a missing byte.
    func unexpected(_ text: Span<UInt8>) -> JSONSyntaxError {
        failure(offset < text.count ? .unexpectedByte : .unexpectedEnd)
    }

    func failure(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
        JSONSyntaxError(reason: reason, offset: offset)
    }

    /// Skips trailing white space. Any other trailing byte is an error.
    mutating func finish(_ text: Span<UInt8>) throws(JSONSyntaxError) {
        skipWhiteSpace(text)
        guard offset == text.count else { throw unexpected(text) }
    }
}

// MARK: - Structure

extension Cursor {
    /// Skips an opening bracket. Returns true when the container is not empty. An empty container is skipped whole.
    @inline(__always)
    mutating func enterContainer(_ text: Span<UInt8>, closing: UInt8) throws(JSONSyntaxError) -> Bool {
        guard depth < Self.maxDepth else { throw failure(.tooDeep) }
        offset &+= 1
        skipWhiteSpace(text)
        if peek(text) == closing {
            offset &+= 1
            return false
        }
        depth &+= 1
        return true
    }

    /// Call after a value: returns true when a comma announces another value, and false when the container was closed.
    @inline(__always)
    mutating func advance(_ text: Span<UInt8>, closing: UInt8) throws(JSONSyntaxError) -> Bool {
        skipWhiteSpace(text)
        let byte = peek(text)
        if byte == .comma {
            offset &+= 1
            skipWhiteSpace(text)
            return true
        }
        guard byte == closing else { throw unexpected(text) }
        offset &+= 1
        depth &-= 1
        return false
    }

    /// Skips a member's name and colon, and stops before its value.
    @inline(__always)
    mutating func readName(_ text: Span<UInt8>) throws(JSONSyntaxError) -> MemberName {
        guard peek(text) == .quote else { throw unexpected(text) }
        let start = offset &+ 1
        let hasEscapes = try skipString(text)
        let name = MemberName(start: start, end: offset &- 1, hasEscapes: hasEscapes)
        skipWhiteSpace(text)
        guard peek(text) == .colon else { throw unexpected(text) }
        offset &+= 1
        skipWhiteSpace(text)
        return name
    }
}

/// The place of a member's name in the text, without its quotes.
struct MemberName {
    let start: Int
    let end: Int
    let hasEscapes: Bool
}
