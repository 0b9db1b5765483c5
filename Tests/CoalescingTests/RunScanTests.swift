import Coalescing
import Testing

@Suite struct RunScanTests {
    private func runs(_ lines: [[UInt8]], _ purpose: RunScan.Purpose = .leavingOut) -> [UpdateRun] {
        var scan = RunScan(purpose, first: 11)
        for line in lines { scan.add(line.span) }
        return scan.runs
    }

    /// `a3 -2` means three updates with one key and two without a key.
    private func summary(_ runs: [UpdateRun]) -> String {
        var names: [[UInt8]: String] = [:]
        return runs.map { run in
            guard let key = run.key else { return "-\(run.count)" }
            let name = [key.kind.rawValue] + key.messageId
            names[name] = names[name] ?? String(UnicodeScalar(UInt8(0x61 + names.count)))
            return "\(names[name] ?? "")\(run.count)"
        }.joined(separator: " ")
    }

    @Test func aRunEndsWhenTheKindOrTheMessageChanges() {
        let lines = [
            Updates.message("1"), Updates.message("2"), Updates.chunk("agent_thought_chunk", "3"),
            Updates.chunk("user_message_chunk", "4"), Updates.message("5", #""m1""#), Updates.message("6", #""m1""#),
            Updates.message("7", #""m2""#), Updates.message("8"), Updates.toolCall(), Updates.toolCall(),
            Updates.message("9"),
        ]
        #expect(summary(runs(lines)) == "a2 b1 c1 d2 e1 a1 -2 a1")
    }

    @Test func numbersAndBytesAddUp() {
        let lines = [Updates.message("a"), Updates.message("bc"), Updates.toolCall()]
        let runs = runs(lines)
        #expect(runs.map(\.first) == [11, 13])
        #expect(runs.map(\.last) == [12, 13])
        #expect(runs.map(\.byteCount) == [lines[0].count + lines[1].count, lines[2].count])
    }

    @Test(arguments: [
        #"{"sessionUpdate":"agent_mess\u0061ge_chunk","content":{"type":"text","text":""}}"#,
        #"{ "content" : {"text":"","type":"text"} , "sessionUpdate" : "agent_message_chunk" }"#,
        #"{"sessionUpdate":"agent_message_chunk"}"#,
    ])
    func aChunkIsRecognizedInAnySpelling(update: String) {
        #expect(summary(runs([Updates.message("x"), Updates.line(update)])) == "a2")
    }

    @Test(arguments: [
        #"{"sessionUpdate":"agent_message_chunk2"}"#, #"{"sessionUpdate":"plan","entries":[]}"#,
        #"{"sessionUpdate":7}"#, #"{"kind":"agent_message_chunk"}"#, #"[]"#, #"{"sessionUpdate":"unheard_of"}"#,
    ])
    func aLineThatIsNotAChunkEndsARun(update: String) {
        #expect(summary(runs([Updates.message("x"), Updates.line(update), Updates.message("y")])) == "a1 -1 a1")
    }

    @Test func anUpdateOverTheSizeLimitEndsARun() {
        let long = String(repeating: "x", count: RunScan.updateLimitBytes)
        #expect(summary(runs([Updates.message("x"), Updates.message(long), Updates.message("y")])) == "a1 -1 a1")
    }

    @Test func onlyTextIsMerged() {
        let lines = [Updates.message("1"), Updates.image(), Updates.message("2"), Updates.message("3")]
        #expect(summary(runs(lines, .leavingOut)) == "a4")
        #expect(summary(runs(lines, .merging)) == "a1 -1 a2")
    }

    @Test func runsForMergingHaveABoundedSize() {
        let lines = Array(repeating: Updates.message(String(repeating: "x", count: 1000)), count: 100)
        let runs = runs(lines, .merging)
        #expect(runs.count > 1)
        #expect(runs.allSatisfy { $0.byteCount <= RunScan.mergedRunLimitBytes })
        #expect(runs.reduce(0) { $0 + $1.count } == 100)
    }
}
