/// Checks UTF-8 that arrives in pieces, which may end inside a code point.
///
/// A wrong byte is reported with the piece that contains it, even where its code point is not complete. Refused are
/// overlong forms, surrogates and what lies above U+10FFFF. Source: RFC 3629; the byte ranges are those of table 3-7
/// of the Unicode standard.
public struct UTF8Validator: Sendable, Equatable {
    /// Continuation bytes that the current code point still lacks.
    private var missing: UInt8 = 0
    /// The bounds of the next continuation byte. Only the second byte of a code point can be bound more narrowly.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    public init() {}

    /// All code points so far are complete: the text may end here.
    public var isAtBoundary: Bool { missing == 0 }

    /// Takes the next piece; false when the text cannot become valid any more.
    public mutating func accept(_ bytes: Span<UInt8>) -> Bool {
        var start = 0
        while missing > 0, start < bytes.count {
            guard accept(bytes[start]) else { return false }
            start += 1
        }
        // The code points that lie whole in this piece are the standard library's, whose check runs on vectors; the
        // one that the piece cuts off is ours.
        let cut = Self.lastBoundary(in: bytes, from: start)
        guard Self.isValid(bytes.extracting(start..<cut)) else { return false }
        for index in cut..<bytes.count {
            guard accept(bytes[index]) else { return false }
        }
        return true
    }

    /// A whole text in one piece.
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

    /// Where a code point begins that the piece cuts off; the piece's end when it cuts none.
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
