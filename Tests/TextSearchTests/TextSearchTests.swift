import Testing
import TextSearch

@Suite struct TextSearchTests {
    @Test(arguments: [
        ("abc", "abc", 0..<3), ("xxabc", "abc", 2..<5), ("ababc", "abc", 2..<5), ("aab", "ab", 1..<3),
        ("abab", "ab", 0..<2),
    ])
    func theFirstPlaceIsFound(text: String, part: String, place: Range<Int>) throws {
        #expect(Array(text.utf8).range(of: Array(part.utf8)) == place)
        let found = try #require(text.range(of: part))
        #expect(text[found] == part)
        #expect(text.utf8.distance(from: text.startIndex, to: found.lowerBound) == place.lowerBound)
        #expect(text.contains(text: part))
    }

    @Test(arguments: [("", "a"), ("ab", "abc"), ("acb", "ab"), ("abc", ""), ("", "")])
    func whatIsNotThereIsNotFound(text: String, part: String) {
        #expect(Array(text.utf8).range(of: Array(part.utf8)) == nil)
        #expect(text.range(of: part) == nil)
        #expect(!text.contains(text: part))
    }

    @Test func aSliceIsSearchedOnlyItself() {
        let bytes = Array("ab ab ab".utf8)
        #expect(bytes[1..<6].range(of: Array("ab".utf8)) == 3..<5)
        #expect(bytes[1..<4].range(of: Array("ab".utf8)) == nil)
    }

    @Test func bytesAreCompared() {
        #expect("cafe\u{301}".contains(text: "cafe"))
        #expect(!"cafe\u{301}".contains(text: "caf\u{e9}"))
        #expect("a\u{e9}b".range(of: "b").map { "a\u{e9}b"[$0] } == "b")
    }

    @Test(arguments: [
        ("a  b", ["a", "b"]), ("a   b", ["a", " b"]), ("  a  ", ["a"]), ("a", ["a"]), ("", []), ("    ", []),
    ])
    func textIsSplitAtText(text: String, parts: [Substring]) { #expect(text.split(at: "  ") == parts) }

    @Test(
        arguments: [
            ([], true), (["Garden"], true), (["GARDEN", "tomato"], true), (["garden water"], false),
            (["tomatoes"], false),
            (["É"], true), ([""], false),
        ] as [([String], Bool)])
    func everyWordMustBeInOneOfTheTexts(words: [String], areFound: Bool) {
        #expect(["my garden", "Water the tomato", "été"].contain(words: words) == areFound)
    }

    @Test func linesEndAtLineFeedsAlsoAfterCarriageReturns() {
        #expect("a\r\nb\n\u{301}c\n".lines == ["a\r", "b", "\u{301}c", ""])
        #expect("\n\na".lines == ["", "", "a"] && "".lines == [""])
        #expect("\n\na\r\n\n".filledLines == ["a\r"])
        #expect("x\ny"[...].lines == ["x", "y"])
    }

    @Test func aCombiningMarkDoesNotHideABeginning() {
        #expect("+\u{301}".begins(with: "+") && !"+\u{301}".hasPrefix("+"))
        #expect(!"a".begins(with: "ab") && "a".begins(with: ""))
        #expect(!"e\u{301}".begins(with: "\u{e9}"))
    }
}
