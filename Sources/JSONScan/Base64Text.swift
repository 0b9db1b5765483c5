/// Base64 with padding in a JSON string. Source: RFC 4648, section 4.
///
/// A text is canonical if its padding is complete and the unused bits of the last symbol are zero. Only canonical text
/// can be decoded and encoded again without a change.
package enum Base64Text {
    private static let padding = UInt8(ascii: "=")

    /// - Parameter text: The contents of a JSON string, with escapes.
    package static func isCanonical(_ text: Span<UInt8>) -> Bool {
        var decoder = Decoder()
        forEachSymbol(text) { symbol in decoder.add(symbol) { _ in } }
        return decoder.isComplete
    }

    /// Appends the decoded bytes. Symbols outside the alphabet are ignored.
    package static func decode(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
        var decoder = Decoder()
        bytes.reserveCapacity(bytes.count + text.count / 4 * 3)
        forEachSymbol(text) { symbol in decoder.add(symbol) { bytes.append($0) } }
    }

    package static func encode(_ bytes: [UInt8], to text: inout [UInt8]) {
        text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
        var start = 0
        while start + 3 <= bytes.count {
            let high = UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8
            encode(high | UInt32(bytes[start + 2]), symbolCount: 4, to: &text)
            start += 3
        }
        guard start < bytes.count else { return }
        let second = start + 1 < bytes.count ? UInt32(bytes[start + 1]) << 8 : 0
        let missing = 3 - (bytes.count - start)
        encode(UInt32(bytes[start]) << 16 | second, symbolCount: 4 - missing, to: &text)
        text.append(contentsOf: repeatElement(padding, count: missing))
    }

    private static func encode(_ bits: UInt32, symbolCount: Int, to text: inout [UInt8]) {
        for position in 0..<symbolCount {
            text.append(symbol(for: UInt8(truncatingIfNeeded: bits >> UInt32(18 - 6 * position) & 0x3F)))
        }
    }

    /// Some programs write `/` as `\/`. Other escapes are rare.
    private static func forEachSymbol(_ text: Span<UInt8>, _ body: (UInt8) -> Void) {
        guard text.indices.contains(where: { text[$0] == UInt8(ascii: "\\") }) else {
            for index in text.indices { body(text[index]) }
            return
        }
        for symbol in StringContents(0..<text.count).decodedBytes(text, .keepingLoneSurrogates) { body(symbol) }
    }

    private static func symbol(for value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: value + UInt8(ascii: "A")
        case 26..<52: value - 26 + UInt8(ascii: "a")
        case 52..<62: value - 52 + UInt8(ascii: "0")
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }

    /// Decodes one symbol after another.
    private struct Decoder {
        private var bits: UInt32 = 0
        /// The number of bits in `bits` that are not decoded yet.
        private var bitCount = 0
        private var symbolCount = 0
        private var paddingCount = 0
        private var isValid = true

        /// The text has ended after a whole group, and every bit of it has been used.
        var isComplete: Bool {
            isValid && (symbolCount + paddingCount) % 4 == 0 && paddingCount <= 2
                && bitCount == 2 * paddingCount && bits & (1 << UInt32(bitCount) - 1) == 0
        }

        mutating func add(_ symbol: UInt8, _ output: (UInt8) -> Void) {
            guard symbol != Base64Text.padding else { return paddingCount += 1 }
            guard let value = Self.value(of: symbol), paddingCount == 0 else { return isValid = false }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            symbolCount += 1
            guard bitCount >= 8 else { return }
            bitCount -= 8
            output(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
        }

        private static func value(of symbol: UInt8) -> UInt8? {
            switch symbol {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): symbol - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): symbol - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): symbol - UInt8(ascii: "0") + 52
            case UInt8(ascii: "+"): 62
            case UInt8(ascii: "/"): 63
            default: nil
            }
        }
    }
}

extension JSONValue {
    /// The decoded bytes of a string in Base64, or nil if this is not a string.
    package var base64Bytes: [UInt8]? {
        guard kind == .string else { return nil }
        var bytes: [UInt8] = []
        let contents = storage[range.lowerBound + 1..<range.upperBound - 1]
        Base64Text.decode(contents.span, to: &bytes)
        return bytes
    }
}
