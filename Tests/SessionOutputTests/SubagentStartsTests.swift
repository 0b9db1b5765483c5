import Testing

@testable import SessionOutput

@Suite struct SubagentStartsTests {
    private func entry(_ seq: Int64, ts: Int64, subagent: String? = nil) throws -> TimelineValue {
        let update =
            subagent.map { #"{"sessionUpdate":"subagent_update","sessionId":"\#($0)"}"# }
            ?? #"{"sessionUpdate":"plan"}"#
        let line =
            #"{"seq":\#(seq),"ts":\#(ts),"kind":"update","notification":{"params":{"sessionId":"s","update":\#(update)}}}"#
        return try #require(TimelineValue(Array(line.utf8)[...]))
    }

    private func start(_ id: String, _ announced: Int64, _ shown: Int64) -> SubagentStarts.Start {
        .init(id: id, part: SubagentPart(announced: announced, shown: shown))
    }

    @Test func fromTheStartEachSubagentIsShownFromItsAnnouncement() throws {
        var starts = SubagentStarts(firstSeq: 1)
        #expect(starts.note(try entry(1, ts: 10)).isEmpty)
        #expect(starts.note(try entry(2, ts: 20, subagent: "a")) == [start("a", 20, 20)])
    }

    @Test func anEarlierSubagentIsFollowedAndShownFromTheFirstShownUpdate() throws {
        var starts = SubagentStarts(firstSeq: 3)
        #expect(starts.note(try entry(1, ts: 10, subagent: "a")).isEmpty)
        #expect(starts.note(try entry(2, ts: 20, subagent: "b")).isEmpty)
        #expect(
            starts.note(try entry(3, ts: 30, subagent: "c")) == [
                start("a", 10, 30), start("b", 20, 30), start("c", 30, 30),
            ])
        #expect(starts.note(try entry(4, ts: 40)).isEmpty && starts.caughtUp().isEmpty)
    }

    @Test func withoutAnUpdateToShowEarlierSubagentsAreFollowedAtTheEndOfWhatIsStored() throws {
        var starts = SubagentStarts(firstSeq: 9)
        #expect(starts.note(try entry(1, ts: 10, subagent: "a")).isEmpty)
        #expect(starts.note(try entry(2, ts: 20)).isEmpty)
        #expect(starts.caughtUp() == [start("a", 10, 21)])
        #expect(starts.note(try entry(9, ts: 30, subagent: "b")) == [start("b", 30, 30)])
    }

    @Test func aSubagentOfASubagentIsNotShownEarlierThanIt() {
        #expect(start("a", 10, 10).shown(since: 30) == start("a", 10, 30))
        #expect(start("a", 40, 40).shown(since: 30) == start("a", 40, 40))
    }
}
