import Testing

@testable import ClientCommands

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
}
