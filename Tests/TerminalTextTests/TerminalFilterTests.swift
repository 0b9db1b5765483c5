import TerminalText
import Testing

@Suite struct TerminalFilterTests {
    private static let controls = Array(0...0x1f) + [0x7f] + Array(0x80...0x9f) as [UInt32]

    @Test(arguments: [
        ("Allow\nFAKE", "Allow⏎FAKE"), ("a\r\nb", "a⏎b"), ("a\rb", "a⏎b"), ("a\n\rb", "a⏎⏎b"), ("a\tb", "a b"),
        ("\u{1b}]0;title\u{7}", "<U+001B>]0;title<U+0007>"), ("\u{9b}2J", "<U+009B>2J"), ("\u{7f}", "<U+007F>"),
        ("rm \u{202e}cod.a", "rm <U+202E>cod.a"), ("a\u{2028}b\u{2029}", "a<U+2028>b<U+2029>"),
        ("\u{feff}\u{200b}\u{200f}\u{61c}", "<U+FEFF><U+200B><U+200F><U+061C>"),
        ("\u{e0041}", "<U+E0041>"), ("a\u{ad}b", "a<U+00AD>b"), ("a\u{3164}b", "a<U+3164>b"), ("", ""),
    ])
    func oneLineShowsHiddenCharacters(text: String, shown: String) {
        #expect(TerminalFilter.oneLine(text) == shown)
    }

    @Test(arguments: ["plain ~text", "é ü 漢字 שלום", "👩🏽‍🚀", "🏳️‍🌈", "👨‍👩‍👧‍👦", "❤️", "✓ … ⏎", "e\u{301}"])
    func ordinaryTextIsUnchanged(text: String) {
        #expect(TerminalFilter.oneLine(text) == text)
        #expect(TerminalFilter.lines(text) == text)
    }

    @Test(arguments: ["a\u{200d}b", "👩\u{200d}", "\u{200d}👩", "1\u{200d}2"])
    func aJoinerIsKeptOnlyBetweenEmoji(text: String) {
        #expect(TerminalFilter.oneLine(text).contains("<U+200D>"))
    }

    @Test(arguments: [
        ("a\nb\tc\r\nd", "a\nb\tc\nd"), ("\u{1b}[31mred\u{1b}[0m", "[31mred[0m"), ("a\u{9b}2Jb\u{7f}", "a2Jb"),
        ("\u{202e}x\u{202c}\u{2066}y\u{2069}", "<U+202E>x<U+202C><U+2066>y<U+2069>"), ("a\u{2028}b", "a<U+2028>b"),
        ("می\u{200c}خواهم", "می\u{200c}خواهم"), ("x\u{e0041}", "x<U+E0041>"),
    ])
    func linesKeepLineFeedsAndLoseCommands(text: String, shown: String) {
        #expect(TerminalFilter.lines(text) == shown)
    }

    /// If each of them copied the text before it, this would take days.
    @Test(.timeLimit(.minutes(1))) func aMillionHiddenCharactersAreShown() {
        let hidden = String(repeating: "\u{202e}", count: 1_000_000)
        #expect(TerminalFilter.oneLine(hidden).utf8.count == 8_000_000)
        #expect(TerminalFilter.lines(hidden).utf8.count == 8_000_000)
    }

    @Test func noControlCharacterPasses() throws {
        for value in Self.controls {
            let text = "a\(try #require(Unicode.Scalar(value)))b"
            let isKept = value == 0x09 || value == 0x0a
            #expect(TerminalFilter.lines(text) == (isKept ? text : "ab"))
            #expect(
                Self.controls.allSatisfy { control in
                    !TerminalFilter.oneLine(text).unicodeScalars.contains { $0.value == control }
                })
        }
    }

    @Test func noFormatCharacterPassesOnOneLine() {
        for value in (0...0x10ffff) as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                let shown = TerminalFilter.oneLine(String(scalar))
                #expect(!shown.unicodeScalars.contains(scalar), "U+\(String(value, radix: 16))")
            default: break
            }
        }
    }

    private static let hostile = "1\u{1b}]0;x\u{7}2\u{1b}[2J\r\n3\u{9b}31m\u{202e}4\u{1b}P\u{1b}\\5👩🏽‍🚀\u{9d}6\u{9c}\u{7f}"

    @Test func aTextCutAnywhereIsFilteredAsTheWhole() {
        let scalars = Self.hostile.unicodeScalars
        let whole = TerminalFilter.lines(Self.hostile)
        for cut in scalars.indices {
            let (first, second) = (String(scalars[..<cut]), String(scalars[cut...]))
            #expect(TerminalFilter.lines(first) + TerminalFilter.lines(second) == whole)
        }
    }

    @Test func aTruncatedEscapeSequenceIsFiltered() {
        let bytes = Array(Self.hostile.utf8)
        for cut in bytes.indices {
            for piece in [bytes[..<cut], bytes[cut...]] {
                let text = String(decoding: piece, as: UTF8.self)
                for shown in [TerminalFilter.lines(text), TerminalFilter.oneLine(text)] {
                    #expect(!shown.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
                }
            }
        }
    }

    @Test func filteringTwiceChangesNothing() {
        let (one, many) = (TerminalFilter.oneLine(Self.hostile), TerminalFilter.lines(Self.hostile))
        #expect(TerminalFilter.oneLine(one) == one)
        #expect(TerminalFilter.lines(many) == many)
    }
}
