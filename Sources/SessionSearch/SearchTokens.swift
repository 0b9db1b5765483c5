/// The words of a text, in the way in which the index divides it: the tokenizer `unicode61` of SQLite with prepared
/// text. Pure.
///
/// A word consists of letters, digits and marks; everything else separates words, so `user_id` and `src/main.c` are
/// several words. Case and most diacritics are ignored by the tokenizer. Each character of Chinese, Japanese and Korean
/// is a word, because these texts have no spaces.
package enum SearchTokens {
    /// The options of the virtual table.
    package static let tokenizer = "tokenize=\"unicode61 categories 'L* N* M*' tokenchars '\(filterMark)'\""

    /// Begins the words by which the index filters. Texts never have it.
    static let filterMark: Unicode.Scalar = "\u{E000}"
    /// Surround a match in the text that SQLite returns.
    static let matchStart: Unicode.Scalar = "\u{E001}"
    static let matchEnd: Unicode.Scalar = "\u{E002}"
    /// Separates characters that are words. The tokenizer of SQLite 3.40 takes most private-use characters for letters.
    private static let separator: Unicode.Scalar = "\u{1F}"

    /// Returns the text without the marks that the index uses, and with spaces in place of the separator and of NUL, at
    /// which SQLite's functions would end.
    static func withoutMarks(_ text: String) -> String {
        // In UTF-8, each mark begins with 0xEE, and few other characters do.
        guard hasByte(text, { $0 == 0xEE || $0 == 0x1F || $0 == 0 }) else { return text }
        let kept = text.unicodeScalars.lazy.filter { !isMark($0) }.map { $0.value == 0 || isSeparator($0) ? " " : $0 }
        return String(String.UnicodeScalarView(kept))
    }

    /// Returns a text without marks, with separators around each character that is a word.
    static func prepared(_ text: String) -> String {
        // The first such character is U+3040, which begins with 0xE3.
        guard hasByte(text, { $0 >= 0xE3 }) else { return text }
        var prepared = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isWord(scalar) {
                prepared.append(contentsOf: [separator, scalar, separator])
            } else {
                prepared.append(scalar)
            }
        }
        return String(prepared)
    }

    /// Looks at all bytes, without an end at the first one that is found: the compiler then tests several at once.
    @inline(__always)
    private static func hasByte(_ text: String, _ isWanted: (UInt8) -> Bool) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var found: UInt8 = 0
            for byte in bytes { found |= isWanted(byte) ? 1 : 0 }
            return found != 0
        }
    }

    static func isSeparator(_ scalar: Unicode.Scalar) -> Bool { scalar == separator }

    /// Returns the words of a query.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        for scalar in prepared(withoutMarks(text)).unicodeScalars {
            if isPart(scalar) {
                word.append(scalar)
            } else if !word.isEmpty {
                words.append(String(word))
                word = String.UnicodeScalarView()
            }
        }
        if !word.isEmpty { words.append(String(word)) }
        return words
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool { (0xE000...0xE00F).contains(scalar.value) }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark:
            true
        default: false
        }
    }

    /// Han, Hiragana, Katakana and Hangul.
    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0x20000...0x323AF:
            true
        default: false
        }
    }
}
