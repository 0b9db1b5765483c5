import Testing

@testable import DemoPrompts

@Suite struct TurnOptionsTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let prompt: String
        let expected: @Sendable (inout TurnOptions) -> Void
        var testDescription: String { prompt }
    }

    @Test(arguments: [
        Case(prompt: "tell me about ships") { _ in },
        Case(prompt: "ships, 500 chunks please") { $0.chunkCount = 500 },
        Case(prompt: "chunks=500") { $0.chunkCount = 500 },
        Case(prompt: "(1,000 chunks)") { $0.chunkCount = 1000 },
        Case(prompt: "an essay of 200 words.") { $0.wordCount = 200 },
        Case(prompt: "words=7 size=300") {
            $0.wordCount = 7
            $0.chunkSizeBytes = 300
        },
        Case(prompt: "20 thoughts") { $0.thoughtCount = 20 },
        Case(prompt: "20 ms apart") { $0.pace = .milliseconds(20) },
        Case(prompt: "20ms apart") { $0.pace = .milliseconds(20) },
        Case(prompt: "1.5 s apart") { $0.pace = .milliseconds(1500) },
        Case(prompt: "pace=20ms") { $0.pace = .milliseconds(20) },
        Case(prompt: "Pace=0") { $0.pace = .zero },
        Case(prompt: "20 ms is short") { _ in },
        Case(prompt: "no permission") { $0.asksPermission = false },
        Case(prompt: "ask permission") { $0.asksPermission = true },
        Case(prompt: "no plan, no thoughts, no commands") { $0.parts.subtract([.plan, .thoughts, .execute]) },
        Case(prompt: "no tools") { $0.parts.subtract([.read, .edit, .execute]) },
        Case(prompt: "Quiet!") { $0.parts = [] },
        Case(prompt: "flush=each") { $0.flushesEachLine = true },
        Case(prompt: "10 chunks, no: 20 chunks") { $0.chunkCount = 20 },
        Case(prompt: "/help me") { $0.command = .help },
        Case(prompt: "/echo Say this") { $0.command = .echo("Say this") },
        Case(prompt: "/fail") { $0.command = .fail("") },
        Case(prompt: "/error hm") { $0.command = .error("hm") },
        Case(prompt: "not /refuse") { _ in },
        Case(prompt: "2 subagents, split=5") {
            $0.extras.subagentCount = 2
            $0.extras.splitBytes = 5
        },
        Case(prompt: "nested subagents") {
            $0.extras.subagentCount = 1
            $0.extras.isNested = true
        },
        Case(prompt: "2 background terminals") { $0.extras.background = [.terminal, .terminal] },
        Case(prompt: "background call, background approval, background subagent, background terminal") {
            $0.extras.background = [.toolCall, .approval, .subagent, .terminal]
        },
        Case(prompt: "lasting=10s wake=2s 3 snapshots") {
            $0.extras.backgroundLength = .seconds(10)
            $0.extras.wakesAfter = .seconds(2)
            $0.extras.snapshotCount = 3
        },
        Case(prompt: "lasting=forever, unlisted background") {
            $0.extras.backgroundLength = nil
            $0.extras.isUnlisted = true
        },
        Case(prompt: "ask form, ask url, withdraw permission") {
            $0.extras.elicitations = [.form, .url]
            $0.extras.withdrawsPermissions = true
        },
        Case(prompt: "answer first, older agent") {
            $0.extras.answersFirst = true
            $0.extras.isOlder = true
        },
        Case(prompt: "unknown state, custom state, custom update, a notice") {
            $0.extras.oddities = [.unknownState, .customState, .customUpdate, .notice]
        },
    ])
    func wordsSetOptions(_ example: Case) {
        var expected = TurnOptions()
        example.expected(&expected)
        #expect(TurnOptions.parse(example.prompt) == expected)
    }

    @Test(arguments: [
        ("99999999999999999999999 chunks", TurnOptions.chunkLimit), ("chunks=0", 0), ("0 chunks", 0),
    ])
    func countsAreReducedToTheirLimit(prompt: String, count: Int) {
        #expect(TurnOptions.parse(prompt).chunkCount == count)
    }

    @Test func sizesAndPacesAreReducedToTheirLimit() {
        #expect(TurnOptions.parse("size=0").chunkSizeBytes == 1)
        #expect(TurnOptions.parse("size=999999999999").chunkSizeBytes == TurnOptions.chunkSizeLimitBytes)
        #expect(TurnOptions.parse("pace=90min").pace == TurnOptions.paceLimit)
    }

    @Test(arguments: [
        "", "=", "chunks=", "chunks=many", "pace=-1", "pace=nan", "pace=1e999", "apart", "5", "no", "ask", "½ chunks",
    ])
    func meaninglessWordsSetNoOptions(prompt: String) {
        #expect(TurnOptions.parse(prompt) == TurnOptions())
    }
}
