import SessionSearch
import Testing

@Suite struct SearchQueryTests {
    @Test(arguments: ["", "   ", "\"\"", "*", "-- ' ; ()", "a*", "\u{E000}", "\u{0}"])
    func aQueryWithoutWordsIsRefused(text: String) {
        #expect((try? SearchQuery(text)) == nil)
    }

    @Test func aLongQueryIsRefused() {
        let tooLong = String(repeating: "a", count: SearchQuery.limitBytes + 1)
        let tooMany = String(repeating: "a ", count: SearchQuery.wordLimit + 1)
        for text in [tooLong, tooMany] {
            #expect((try? SearchQuery(text)) == nil)
        }
    }
}
