extension Cursor {
    /// Skips one value of any kind and depth.
    @inline(__always)
    mutating func skipValue(_ text: Span<UInt8>) throws(JSONSyntaxError) {
        switch peek(text) {
        case .quote: try skipString(text)
        case .openBrace, .openBracket: try skipContainer(text)
        default: try skipLiteralOrNumber(text)
        }
    }

    /// Skips an array or object and its contents. It uses a bit stack instead of recursion, because the peer chooses
    /// the depth.
    mutating func skipContainer(_ text: Span<UInt8>) throws(JSONSyntaxError) {
        let floor = depth
        var kinds = ContainerKinds()
        while true {
            switch peek(text) {
            case .openBrace:
                if try enterContainer(text, closing: .closeBrace) {
                    kinds.set(depth: depth, isObject: true)
                    _ = try readName(text)
                    continue
                }
            case .openBracket:
                if try enterContainer(text, closing: .closeBracket) {
                    kinds.set(depth: depth, isObject: false)
                    continue
                }
            case .quote: try skipString(text)
            default: try skipLiteralOrNumber(text)
            }
            guard try leaveContainers(text, downTo: floor, &kinds) else { return }
        }
    }

    /// Call after a value: closes every container that ends here. Returns false when that reached `floor`, and true at
    /// the start of the next value.
    @inline(__always)
    private mutating func leaveContainers(
        _ text: Span<UInt8>, downTo floor: Int, _ kinds: inout ContainerKinds
    ) throws(JSONSyntaxError) -> Bool {
        while depth > floor {
            if kinds.isObject(depth: depth) {
                guard try advance(text, closing: .closeBrace) else { continue }
                _ = try readName(text)
            } else {
                guard try advance(text, closing: .closeBracket) else { continue }
            }
            return true
        }
        return false
    }

    mutating func skipLiteralOrNumber(_ text: Span<UInt8>) throws(JSONSyntaxError) {
        switch peek(text) {
        case UInt8(ascii: "t"): try skipLiteral(text, "true")
        case UInt8(ascii: "f"): try skipLiteral(text, "false")
        case UInt8(ascii: "n"): try skipLiteral(text, "null")
        default: try skipNumber(text)
        }
    }

    @inline(__always)
    private mutating func skipLiteral(_ text: Span<UInt8>, _ word: StaticString) throws(JSONSyntaxError) {
        for index in 0..<word.utf8CodeUnitCount {
            // The pointer of a `StaticString` literal is valid for its whole length and never expires.
            guard peek(text) == word.utf8Start[index] else { throw unexpected(text) }
            offset &+= 1
        }
    }

    /// Skips a number of RFC 8259 section 6. Its range is not checked: the grammar allows `1e999`.
    private mutating func skipNumber(_ text: Span<UInt8>) throws(JSONSyntaxError) {
        if peek(text) == UInt8(ascii: "-") { offset &+= 1 }
        if peek(text) == UInt8(ascii: "0") { offset &+= 1 } else { try skipDigits(text) }
        if peek(text) == UInt8(ascii: ".") {
            offset &+= 1
            try skipDigits(text)
        }
        guard peek(text) | 0x20 == UInt8(ascii: "e") else { return }
        offset &+= 1
        if peek(text) == UInt8(ascii: "+") || peek(text) == UInt8(ascii: "-") { offset &+= 1 }
        try skipDigits(text)
    }

    @inline(__always)
    private mutating func skipDigits(_ text: Span<UInt8>) throws(JSONSyntaxError) {
        guard peek(text).isASCIIDigit else { throw unexpected(text) }
        repeat { offset &+= 1 } while peek(text).isASCIIDigit
    }
}

/// One bit for each open container: set for an object, clear for an array. Standard library types of a fixed length need
/// macOS 26, so the words are in a tuple.
private struct ContainerKinds: ~Copyable {
    private var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)

    @inline(__always)
    mutating func set(depth: Int, isObject: Bool) {
        let (word, bit) = Self.place(of: depth)
        withWords { words in
            if isObject { words[word] |= bit } else { words[word] &= ~bit }
        }
    }

    /// Mutating, because a pointer to the words of a constant can need a copy of them.
    @inline(__always)
    mutating func isObject(depth: Int) -> Bool {
        let (word, bit) = Self.place(of: depth)
        return withWords { $0[word] & bit != 0 }
    }

    /// A tuple of eight words has the layout of an array of eight words.
    @inline(__always)
    private mutating func withWords<Result>(_ body: (UnsafeMutablePointer<UInt64>) -> Result) -> Result {
        withUnsafeMutablePointer(to: &words) { body(UnsafeMutableRawPointer($0).assumingMemoryBound(to: UInt64.self)) }
    }

    /// Depths are 1 to `Cursor.maxDepth`, which is 8 × 64.
    @inline(__always)
    private static func place(of depth: Int) -> (word: Int, bit: UInt64) {
        ((depth &- 1) &>> 6, 1 &<< UInt64(truncatingIfNeeded: (depth &- 1) & 63))
    }
}
