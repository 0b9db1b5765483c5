import Testing

@testable import ReportCommands

@Suite struct SearchCommandTests {
    @Test func theTextOfAHitBeginsShortlyBeforeItsFirstMatch() {
        let lead = String(repeating: "before ", count: 20)
        let text = SearchCommand.snippet([lead, "match", " after ", "match", ""])
        #expect(text.hasPrefix("…") && text.hasSuffix("before match after match"))
        #expect(text.count < 50)
    }

    @Test func aShortTextIsShownWhole() {
        #expect(SearchCommand.snippet(["The ", "login", "\n page"]) == "The login page")
        #expect(SearchCommand.snippet([]) == "")
    }

    @Test func peersThatWereNotSearchedAreNamed() {
        #expect(SearchCommand.note(unsearched: []) == nil)
        #expect(SearchCommand.note(unsearched: ["a"])?.hasPrefix("the sessions of a were not searched") == true)
        #expect(SearchCommand.note(unsearched: ["a", "b", "c"])?.contains("of a, b and c were") == true)
    }
}
