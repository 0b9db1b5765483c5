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
            let name = [key.kind.rawValue] + key.id + key.sessionId
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

    @Test func aRunEndsWhenTheTerminalOrAnotherEntityChanges() {
        let lines = [
            Updates.output("YQ==", of: "t1"), Updates.output("YQ==", of: "t1"), Updates.output("YQ==", of: "t2"),
            Updates.item("a", of: "t2"), Updates.item("b", of: "t2"), Updates.item("a", of: "t3"),
            Updates.summary("a", of: "t3"), Updates.summary("b", of: "t3"), Updates.message("c", #""t3""#),
        ]
        #expect(summary(runs(lines)) == "a2 b1 c2 d1 e2 f1")
        // Each chunk of a tool call's content adds a separate item.
        #expect(summary(runs(lines, .merging)) == "a2 b1 -3 c2 d1")
    }

    @Test func aRunNeverCrossesSessions() {
        let lines = [
            Updates.message("1"), Updates.message("2", session: "s1.a"), Updates.message("3", session: "s1.a"),
            Updates.message("4"), Updates.output("YQ==", of: "t1"), Updates.output("YQ==", of: "t1", session: "s1.a"),
        ]
        for purpose in [RunScan.Purpose.leavingOut, .merging] {
            #expect(summary(runs(lines, purpose)) == "a1 b2 a1 c1 d1")
        }
    }

    @Test(arguments: [
        #"{"sessionUpdate":"agent_message","messageId":"m","content":[{"type":"text","text":"x"}]}"#,
        #"{"sessionUpdate":"replay_complete"}"#, #"{"sessionUpdate":"notice","severity":"info","title":"x"}"#,
        #"{"sessionUpdate":"state_update","state":"running"}"#,
        #"{"sessionUpdate":"session_message_chunk","messageId":"m","content":{"type":"text","text":"x"}}"#,
        #"{"sessionUpdate":"terminal_update","terminalId":"m","output":{"data":"YQ=="}}"#,
        #"{"sessionUpdate":"unheard_of_chunk","messageId":"m","content":{"type":"text","text":"x"}}"#,
        #"{"sessionUpdate":"terminal_output_chunk","data":"YQ=="}"#,
        #"{"sessionUpdate":"terminal_output_chunk","terminalId":"a","terminalId":"a","data":"YQ=="}"#,
    ])
    func anyOtherUpdateEndsARun(update: String) {
        for purpose in [RunScan.Purpose.leavingOut, .merging] {
            let lines = [Updates.message("x", #""m""#), Updates.line(update), Updates.message("y", #""m""#)]
            #expect(summary(runs(lines, purpose)) == "a1 -1 a1")
        }
    }

    /// The merged text would differ from a text in another form of Base64, and the metadata would be lost.
    @Test(arguments: [
        #""data":"YQ""#, #""data":"YR==""#, #""data":"Y===""#, #""data":"YQ=a""#, #""data":"Y Q=""#,
        #""data":"YQ==\n""#,
        #""data":"_w==""#, #""data":7"#, #""data":"YQ==","data":"YQ==""#, #""data":"YQ==","_meta":{"a":1}"#,
    ])
    func anOutputThatCannotBeJoinedExactlyIsNotMerged(data: String) {
        let update = Updates.line(#"{"sessionUpdate":"terminal_output_chunk","terminalId":"t1",\#(data)}"#)
        let lines = [Updates.output("YQ==", of: "t1"), update, Updates.output("YQ==", of: "t1")]
        #expect(summary(runs(lines, .merging)) == "a1 -1 a1")
        #expect(summary(runs(lines, .leavingOut)) == "a3")
    }

    @Test(arguments: [
        #""content":{"type":"text","text":"b","annotations":{"audience":["user"]}}"#,
        #""content":{"type":"text","text":"b","_meta":{"a":1}}"#,
        #""content":{"type":"text","text":"b"},"_meta":{"traceparent":"00-1"}"#,
    ])
    func aChunkWithMetadataOfItsOwnIsNotMerged(members: String) {
        let update = Updates.line(#"{"sessionUpdate":"agent_message_chunk","messageId":"m",\#(members)}"#)
        let lines = [Updates.message("a", #""m""#), update, Updates.message("c", #""m""#)]
        #expect(summary(runs(lines, .merging)) == "a1 -1 a1")
        #expect(summary(runs(lines, .leavingOut)) == "a3")
    }

    @Test func countsAndSizesOfRunsAddUp() {
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
