import SessionSearch
import Testing

@Suite struct SearchTermsTests {
    @Test func wordsAreThoseOfTheLocalIndex() throws {
        let terms = try SearchTerms()
        let words = ["and", "cafe", "id", "the", "user", "录", "登"]
        #expect(try terms.words(of: "The Café, the user_id\0and 登录").sorted() == words.sorted())
        #expect(try terms.words(of: "…!") == [])
    }

    @Test func oneTextLeavesNothingForTheNext() throws {
        let terms = try SearchTerms()
        _ = try terms.words(of: "first")
        #expect(try terms.words(of: "second") == ["second"])
    }

    @Test func longWordsAreLeftOut() throws {
        let terms = try SearchTerms()
        let longest = String(repeating: "a", count: SearchTerms.wordLimitBytes)
        #expect(try terms.words(of: "\(longest) b \(longest)a").sorted() == [longest, "b"])
        #expect(try terms.expression(try SearchQuery(longest + "*")) == "'\(longest)':*")
    }

    @Test func aQueryHasAllWordsAndItsPrefixes() throws {
        let terms = try SearchTerms()
        let query = try SearchQuery("\"Test Fails\" src/main.c lo*")
        #expect(try terms.expression(query) == "'test' & 'fails' & 'src' & 'main' & 'c' & 'lo':*")
    }

    @Test func noCharacterOfTheQuerySyntaxIsInAWord() throws {
        let terms = try SearchTerms()
        let query = try SearchQuery("a'b c\\d e&f g|h !i <-> j:k")
        let expression = try #require(try terms.expression(query))
        #expect(expression.filter { !$0.isLetter } == Array(repeating: "''", count: 11).joined(separator: " & "))
    }
}
