/// Validates UTF-8 that arrives in pieces, which can end inside a code point.
///
/// An invalid byte is reported with the piece that contains it, even if its code point is not complete. Overlong forms,
/// surrogates and values above U+10FFFF are refused. Source: RFC 3629. The byte ranges come from table 3-7 of the
/// Unicode standard.
package struct UTF8Validator: Sendable, Equatable {
    /// The number of continuation bytes that the current code point still needs.
    private var missing: UInt8 = 0
    /// The bounds of the next continuation byte. Only the second byte of a code point can have narrower bounds.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    package init() {}

    /// True when all code points so far are complete, so the text can end here.
    package var isAtBoundary: Bool { missing == 0 }

    /// Validates the next piece. Returns false when the text can no longer become valid.
    package mutating func accept(_ bytes: Span<UInt8>) -> Bool {
        var start = 0
        while missing > 0, start < bytes.count {
            guard accept(bytes[start]) else { return false }
            start += 1
        }
        // Code points that are complete in this piece are checked by the standard library, which uses vector
        // instructions. A code point that is cut at the end is checked here, byte by byte.
        let cut = Self.lastBoundary(in: bytes, from: start)
        guard Self.isValid(bytes.extracting(start..<cut)) else { return false }
        for index in cut..<bytes.count {
            guard accept(bytes[index]) else { return false }
        }
        return true
    }

    /// Validates a whole text in one piece.
    static func isValid(_ bytes: Span<UInt8>) -> Bool {
        (try? UTF8Span(validating: bytes)) != nil
    }

    private mutating func accept(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard byte >= lowest, byte <= highest else { return false }
            expect(missing - 1)
            return true
        }
        switch byte {
        case 0x00...0x7F: break
        case 0xC2...0xDF: expect(1)
        case 0xE0: expect(2, from: 0xA0)
        case 0xED: expect(2, through: 0x9F)
        case 0xE1...0xEF: expect(2)
        case 0xF0: expect(3, from: 0x90)
        case 0xF1...0xF3: expect(3)
        case 0xF4: expect(3, through: 0x8F)
        default: return false
        }
        return true
    }

    private mutating func expect(_ count: UInt8, from lowest: UInt8 = 0x80, through highest: UInt8 = 0xBF) {
        missing = count
        self.lowest = lowest
        self.highest = highest
    }

    /// The offset of the code point that is cut at the end of the piece, or the piece's end when none is cut.
    private static func lastBoundary(in bytes: Span<UInt8>, from start: Int) -> Int {
        var index = bytes.count
        while index > start, bytes.count - index < 3 {
            index -= 1
            let byte = bytes[index]
            if byte < 0x80 { return bytes.count }
            if byte >= 0xC0 {
                let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
                return index + length > bytes.count ? index : bytes.count
            }
        }
        return bytes.count
    }
}
