/// Finds and replaces the strings of a JSON text without decoding its structure, so that everything else keeps its
/// bytes. Pure.
enum JSONStrings {
    /// One string: a value, or the name of a member.
    struct Token {
        /// The string with its quotes.
        let range: Range<Int>
        let isName: Bool
        /// The raw bytes of the name of the value's member, between its quotes; empty for elements of arrays and for names.
        let name: ArraySlice<UInt8>
    }

    /// - Parameter text: A valid JSON text. For another text the tokens are unspecified, without an error.
    static func all(in text: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var name: ArraySlice<UInt8> = []
        var offset = 0
        while offset < text.count {
            guard text[offset] == UInt8(ascii: "\"") else {
                if !isSpace(text[offset]), text[offset] != UInt8(ascii: ":") { name = [] }
                offset += 1
                continue
            }
            let end = endOfString(text, from: offset)
            if isName(text, endingAt: end) {
                name = text[(offset + 1)..<max(offset + 1, end - 1)]
                tokens.append(Token(range: offset..<end, isName: true, name: []))
            } else {
                tokens.append(Token(range: offset..<end, isName: false, name: name))
                name = []
            }
            offset = end
        }
        return tokens
    }

    /// Returns the text with other JSON texts in some ranges.
    ///
    /// - Parameter replacements: Ranges in rising order that do not overlap.
    static func replacing(_ text: [UInt8], _ replacements: [(range: Range<Int>, with: [UInt8])]) -> [UInt8] {
        guard !replacements.isEmpty else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var offset = 0
        for replacement in replacements {
            result += text[offset..<replacement.range.lowerBound]
            result += replacement.with
            offset = replacement.range.upperBound
        }
        return result + text[offset...]
    }

    private static func endOfString(_ text: [UInt8], from start: Int) -> Int {
        var offset = start + 1
        while offset < text.count {
            switch text[offset] {
            case UInt8(ascii: "\\"): offset += 2
            case UInt8(ascii: "\""): return offset + 1
            default: offset += 1
            }
        }
        return text.count
    }

    private static func isName(_ text: [UInt8], endingAt end: Int) -> Bool {
        text[end...].first { !isSpace($0) } == UInt8(ascii: ":")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }
}
