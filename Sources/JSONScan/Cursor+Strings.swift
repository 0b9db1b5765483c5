import CVector

extension Cursor {
    /// Skips a string, from its opening quote through its closing quote. Returns true when it contains a backslash.
    @inline(__always)
    @discardableResult
    mutating func skipString(_ text: Span<UInt8>) throws(JSONSyntaxError) -> Bool {
        offset &+= 1
        skipPlainBytes(text)
        if peek(text) == .quote {
            offset &+= 1
            return false
        }
        return try skipRestOfString(text)
    }

    /// Skips sixteen bytes at a time, and stops at the next byte that needs a check or at the last fifteen bytes of the
    /// text.
    ///
    /// The load is bounds-checked. It is named "unsafe" because it reinterprets bytes, and any bytes are a valid
    /// vector.
    @inline(__always)
    private mutating func skipPlainBytes(_ text: Span<UInt8>) {
        let bytes = text.bytes
        while text.count &- offset >= 16 {
            let stops = cvector_string_stops(bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self))
            guard stops == 0 else {
                offset &+= stops.trailingZeroBitCount
                return
            }
            offset &+= 16
        }
    }

    /// The slow path: strings that contain more than plain ASCII, or that end in the last bytes of the text.
    private mutating func skipRestOfString(_ text: Span<UInt8>) throws(JSONSyntaxError) -> Bool {
        var hasEscapes = false
        while true {
            let byte = peek(text)
            switch byte {
            case .quote:
                offset &+= 1
                return hasEscapes
            case .backslash:
                hasEscapes = true
                try skipEscape(text)
            case 0x80...: try skipMultibyte(text)
            case 0x20...: offset &+= 1
            default: throw failure(offset < text.count ? .controlByte : .unexpectedEnd)
            }
            skipPlainBytes(text)
        }
    }

    /// Skips one escape of RFC 8259 section 7. The grammar allows a lone surrogate (`\ud800`).
    @inline(__always)
    private mutating func skipEscape(_ text: Span<UInt8>) throws(JSONSyntaxError) {
        let kind = offset &+ 1
        guard kind < text.count else { throw failure(.unexpectedEnd) }
        switch text[kind] {
        case .quote, .backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset &+= 2
        case UInt8(ascii: "u"):
            guard text.count &- kind > 4 else { throw failure(.unexpectedEnd) }
            for digit in 1...4 {
                guard text[kind &+ digit].hexDigitValue != nil else { throw failure(.invalidEscape) }
            }
            offset &+= 6
        default: throw failure(.invalidEscape)
        }
    }

    /// Skips a run of well-formed UTF-8 sequences of two to four bytes (RFC 3629 section 4).
    private mutating func skipMultibyte(_ text: Span<UInt8>) throws(JSONSyntaxError) {
        let bytes = text.bytes
        while text.count &- offset >= 4 {
            let word = UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
            if word & 0x80 == 0 { return }
            let length = UTF8Sequence.length(of: word)
            guard length > 0 else { throw failure(.invalidUTF8) }
            offset &+= length
        }
        while peek(text) >= 0x80 {
            // Missing bytes are read as 0, which is never a continuation byte.
            var word: UInt32 = 0
            for index in 0..<min(4, text.count &- offset) {
                word |= UInt32(text[offset &+ index]) &<< UInt32(8 &* index)
            }
            let length = UTF8Sequence.length(of: word)
            guard length > 0 else { throw failure(.invalidUTF8) }
            offset &+= length
        }
    }
}

private enum UTF8Sequence {
    /// The length of the multi-byte sequence that starts in the lowest byte of `word`, or 0 when it is malformed.
    @inline(__always)
    static func length(of word: UInt32) -> Int {
        // Lead and continuation bits are compared at once. Overlong forms and surrogates are checked after that.
        if word & 0x00c0_c0f0 == 0x0080_80e0 {
            let bits = word & 0x0000_200f
            return bits != 0 && bits != 0x200d ? 3 : 0
        }
        if word & 0x0000_c0e0 == 0x0000_80c0 {
            return word & 0x1e != 0 ? 2 : 0
        }
        if word & 0xc0c0_c0f8 == 0x8080_80f0 {
            let scalarTop = (word & 0x07) &<< 2 | (word &>> 12) & 0x03
            return scalarTop >= 1 && scalarTop <= 16 ? 4 : 0
        }
        return 0
    }
}
