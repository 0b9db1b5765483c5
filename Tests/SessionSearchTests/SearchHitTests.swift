import Testing

@testable import SessionSearch

@Suite struct SearchHitTests {
    private func hit(_ kind: SearchedText.Kind, _ n: Int64, _ text: String = "hello") -> SearchHit {
        SearchHit(kind: kind, n: n, seq: 0, ts: 0, snippet: SearchSnippet(parts: ["", text, ""]))
    }

    @Test func anAgentsReportOfAPromptRepeatsIt() {
        let prompt = hit(.prompt, 10)
        #expect(hit(.userMessage, 11).repeats(prompt) && hit(.userMessage, 74).repeats(prompt))
        #expect(!hit(.userMessage, 9).repeats(prompt) && !hit(.userMessage, 75).repeats(prompt))
        #expect(!hit(.userMessage, 11, "hello, too").repeats(prompt))
        #expect(!hit(.message, 11).repeats(prompt) && !hit(.userMessage, 11).repeats(hit(.userMessage, 10)))
        #expect(!prompt.repeats(prompt))
    }
}
