import CVector

/// The bytes between the quotes of a validated string.
struct StringContents {
    enum Surrogates {
        /// An escaped surrogate without its partner becomes U+FFFD, because text must be well-formed.
        case replacingLoneSurrogates
        /// A lone surrogate is encoded as three bytes, like a character (WTF-8), so that different strings stay
        /// different.
        case keepingLoneSurrogates
    }

    private let range: Range<Int>

    init(_ range: Range<Int>) {
        self.range = range
    }

    /// The contents of a string. Its quotes are the first and last byte of `range`.
    init(ofStringAt range: Range<Int>) {
        self.range = range.lowerBound + 1..<range.upperBound - 1
    }

    /// Passes the decoded bytes to `emit` one by one. Stops early, without a trap, at bytes that validation would
    /// refuse.
    @inline(__always)
    func decode(_ text: Span<UInt8>, _ surrogates: Surrogates, _ emit: (UInt8) -> Void) {
        var at = range.lowerBound
        while at < range.upperBound {
            guard text[at] == .backslash else {
                emit(text[at])
                at += 1
                continue
            }
            guard var unit = Self.unit(text, at, before: range.upperBound) else { return }
            at += unit.length
            if unit.value & 0xfc00 == 0xd800, let low = Self.unit(text, at, before: range.upperBound),
                low.value & 0xfc00 == 0xdc00
            {
                unit.value = 0x10000 + (unit.value & 0x3ff) << 10 + low.value & 0x3ff
                at += low.length
            } else if unit.value & 0xf800 == 0xd800, surrogates == .replacingLoneSurrogates {
                unit.value = 0xfffd
            }
            Self.encode(unit.value, emit)
        }
    }

    /// The UTF-16 unit of an escape and the escape's length. `nil` when no complete escape begins at `at`.
    private static func unit(_ text: Span<UInt8>, _ at: Int, before end: Int) -> (value: UInt32, length: Int)? {
        guard at + 1 < end, text[at] == .backslash else { return nil }
        switch text[at + 1] {
        case UInt8(ascii: "b"): return (0x08, 2)
        case UInt8(ascii: "f"): return (0x0c, 2)
        case UInt8(ascii: "n"): return (0x0a, 2)
        case UInt8(ascii: "r"): return (0x0d, 2)
        case UInt8(ascii: "t"): return (0x09, 2)
        case UInt8(ascii: "u"):
            guard at + 6 <= end else { return nil }
            var value: UInt32 = 0
            for digit in at + 2..<at + 6 {
                guard let hex = text[digit].hexDigitValue else { return nil }
                value = value << 4 | hex
            }
            return (value, 6)
        case let other: return (UInt32(other), 2)
        }
    }

    /// Encodes the value as UTF-8 by its bit pattern alone: surrogates are encoded like other values.
    @inline(__always)
    private static func encode(_ value: UInt32, _ emit: (UInt8) -> Void) {
        func part(_ shift: UInt32, _ mask: UInt32, _ lead: UInt32) -> UInt8 {
            UInt8(truncatingIfNeeded: lead | value >> shift & mask)
        }
        switch value {
        case ..<0x80: emit(part(0, 0x7f, 0))
        case ..<0x800:
            emit(part(6, 0x1f, 0xc0))
            emit(part(0, 0x3f, 0x80))
        case ..<0x10000:
            emit(part(12, 0x0f, 0xe0))
            emit(part(6, 0x3f, 0x80))
            emit(part(0, 0x3f, 0x80))
        default:
            emit(part(18, 0x07, 0xf0))
            emit(part(12, 0x3f, 0x80))
            emit(part(6, 0x3f, 0x80))
            emit(part(0, 0x3f, 0x80))
        }
    }
}

extension StringContents {
    private func hasEscapes(_ text: Span<UInt8>) -> Bool {
        let bytes = text.bytes
        var at = range.lowerBound
        // As in `Cursor.skipPlainBytes`, the loads are bounds-checked.
        while range.upperBound &- at >= 16 {
            let vector = bytes.unsafeLoadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self)
            if cvector_equals(vector, .backslash) != 0 { return true }
            at &+= 16
        }
        while at < range.upperBound {
            if text[at] == .backslash { return true }
            at &+= 1
        }
        return false
    }

    /// The string, if it has no escapes, as most strings: it needs no buffer then.
    private func plainString(_ text: Span<UInt8>) -> String? {
        guard !hasEscapes(text) else { return nil }
        return text.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// The decoded bytes, in WTF-8 if lone surrogates are kept.
    func decodedBytes(_ text: Span<UInt8>, _ surrogates: Surrogates) -> [UInt8] {
        guard hasEscapes(text) else { return text.extracting(range).withUnsafeBufferPointer { Array($0) } }
        return unescapedBytes(text, surrogates)
    }

    private func unescapedBytes(_ text: Span<UInt8>, _ surrogates: Surrogates) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        decode(text, surrogates) { decoded.append($0) }
        return decoded
    }

    /// Nil if the string has a lone surrogate, which no `String` can have. Only an escape can be one.
    func exactString(_ text: Span<UInt8>) -> String? {
        plainString(text) ?? String(validating: unescapedBytes(text, .keepingLoneSurrogates), as: UTF8.self)
    }

    func decodedString(_ text: Span<UInt8>) -> String {
        plainString(text) ?? String(decoding: unescapedBytes(text, .replacingLoneSurrogates), as: UTF8.self)
    }
}
