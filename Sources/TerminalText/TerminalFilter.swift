/// The only filter between foreign text and a terminal. Pure.
///
/// It works character by character. Without ESC and the C1 characters there can be no escape sequence, neither complete
/// nor truncated. The rest of a sequence is shown as the printable characters that it consists of. Filtering a text
/// twice gives the same result as filtering it once.
///
/// Not filtered: letters that look alike, large numbers of combining marks, and the direction of right-to-left letters.
package enum TerminalFilter {
    /// Returns the text on one line, with all hidden characters made visible.
    ///
    /// - A line feed, a carriage return, and the pair of both become `⏎`; a tab becomes a space.
    /// - Control characters (C0, DEL, C1), format characters (Unicode category Cf: directional overrides, zero-width
    ///   and tag characters), line and paragraph separators, and characters without a glyph become `<U+202E>`.
    /// - ZERO WIDTH JOINER remains between two emoji.
    package static func oneLine(_ text: String) -> String {
        guard !isPlain(text) else { return text }
        var shown = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            defer { previous = scalar }
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r": shown.append("⏎")
            case "\t": shown.append(" ")
            case zeroWidthJoiner where isEmoji(previous) && isEmoji(rest.first): shown.append(scalar)
            default: append(scalar, escaped: isHidden(scalar), to: &shown)
            }
        }
        return String(shown)
    }

    /// Returns the text with its line feeds and tabs.
    ///
    /// - Control characters (C0, DEL, C1) are removed.
    /// - Directional embeddings, overrides and isolates, line and paragraph separators, and tag characters become
    ///   `<U+202E>`.
    /// - Other format characters remain, because several languages are written with them.
    ///
    /// A text can be filtered in pieces: the joined results equal the result for the whole text.
    package static func lines(_ text: String) -> String {
        guard !isPlain(text, keeping: 0x0a) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\t": shown.append(scalar)
            case _ where scalar.properties.generalCategory == .control: break
            default: append(scalar, escaped: isDeceptive(scalar), to: &shown)
            }
        }
        return String(shown)
    }

    private static let zeroWidthJoiner: Unicode.Scalar = "\u{200D}"

    /// True if the text consists only of printable ASCII and `other`. Most text does.
    private static func isPlain(_ text: String, keeping other: UInt8 = 0x20) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7e).contains($0) || $0 == other }
    }

    private static func append(_ scalar: Unicode.Scalar, escaped: Bool, to shown: inout String.UnicodeScalarView) {
        guard escaped else { return shown.append(scalar) }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
        // `append(contentsOf:)` would copy all of `shown` each time.
        for scalar in "<U+\(zeros)\(digits)>".unicodeScalars { shown.append(scalar) }
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        // Variation selectors choose between two glyphs of the previous character.
        default: scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isVariationSelector
        }
    }

    private static func isDeceptive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2028...0x202E, 0x2066...0x2069, 0xE0000...0xE007F: true
        default: false
        }
    }

    /// True for a part of an emoji, including a variation selector.
    private static func isEmoji(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return false }
        return scalar == "\u{FE0F}" || (scalar.properties.isEmoji && !scalar.isASCII)
    }
}
