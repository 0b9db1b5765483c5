import SessionRecords
import TestSupport
import Testing

@testable import SessionReplay

@Suite struct ReplayMatcherTests {
    private static func update(_ update: String) -> [UInt8] {
        Array(#"{"method":"session/update","params":{"sessionId":"s","update":\#(update)}}"#.utf8)
    }

    private static func chunk(_ text: String, _ kind: String = "agent_message_chunk") -> [UInt8] {
        update(#"{"sessionUpdate":"\#(kind)","content":{"type":"text","text":"\#(text)"}}"#)
    }

    private static func call(_ id: String, _ members: String) -> [UInt8] {
        update(#"{"sessionUpdate":"tool_call_update","toolCallId":"\#(id)",\#(members)}"#)
    }

    private func matcher(_ lines: [[UInt8]]) -> ReplayMatcher {
        var history = StoredHistory()
        history.add(lines.enumerated().map { .update(n: Int64($0 + 1), seq: Int64($0 + 1), ts: 0, line: $1) })
        return ReplayMatcher(history)
    }

    private func verdicts(_ matcher: ReplayMatcher, _ lines: [[UInt8]]) -> [ReplayMatcher.Verdict] {
        var matcher = matcher
        return lines.map { matcher.judge($0.span).verdict }
    }

    @Test func theSameChunksAreRepeatedAndTheNextOnesAreNew() {
        let lines = ["one ", "two ", "three"].map { Self.chunk($0) }
        var matcher = matcher(lines)
        #expect(lines.map { matcher.judge($0.span) }.last == .init(.isRepeated, earlierAreRepeated: true))
        #expect(matcher.judge(Self.chunk("four").span) == .init(.isNew))
        #expect(matcher.finish() == .init())
    }

    @Test func aMessageRepeatedInOneChunkIsRepeated() {
        let history = matcher(["one ", "two ", "three"].map { Self.chunk($0) })
        #expect(verdicts(history, [Self.chunk("one two three")]) == [.isRepeated])
    }

    @Test func aWorkingAgentsChunksWithoutARepetitionAreNew() {
        let history = matcher((1...65).map { Self.chunk("update \($0)") })
        #expect(verdicts(history, (66...100).map { Self.chunk("update \($0)") }).allSatisfy { $0 == .isNew })
    }

    @Test func newChunksBetweenRepeatedOnesAreNew() {
        let history = matcher(["one ", "two "].map { Self.chunk($0) })
        let lines = ["one ", "three ", "two ", "four "].map { Self.chunk($0) }
        #expect(verdicts(history, lines) == [.isUndecided, .isNew, .isRepeated, .isNew])
    }

    @Test func aRepetitionCanLeaveOutMessages() {
        let history = matcher([
            Self.chunk("first"), Self.call("c", #""status":"completed""#), Self.chunk("second"),
            Self.chunk("thinking", "agent_thought_chunk"), Self.chunk("third"),
        ])
        #expect(verdicts(history, [Self.chunk("second"), Self.chunk("third")]) == [.isRepeated, .isRepeated])
        #expect(verdicts(history, [Self.chunk("third"), Self.chunk("second")]) == [.isRepeated, .isNew])
    }

    @Test func theIndexFindsTheSameMessagesAsASearch() {
        var random = SeededGenerator(seed: 7)
        var texts = StoredHistory.Texts()
        func word(_ most: Int) -> [UInt8] {
            (0..<Int.random(in: 1...most, using: &random)).map { _ in UInt8.random(in: 97...99, using: &random) }
        }
        for _ in 0..<200 { texts.append(word(80), isStart: Bool.random(using: &random)) }
        var index = MessageStarts()
        for _ in 0..<2_000 {
            let offset = Int.random(in: 0...texts.bytes.count, using: &random)
            // Half of the texts are in the history.
            let start = texts.starts[Int.random(in: 0..<texts.starts.count, using: &random)]
            let stored = Array(
                texts.bytes[start..<min(texts.bytes.count, start + Int.random(in: 1...70, using: &random))])
            let text = Bool.random(using: &random) ? stored : word(6)
            let found = texts.starts.first { $0 > offset && texts.holds(text, at: $0) }
            #expect(index.first(after: offset, text, in: texts) == found)
        }
    }

    @Test func aNewMessageThatBeginsLikeAStoredOneIsNew() {
        var matcher = matcher([Self.chunk("Now I run the tests.")])
        #expect(matcher.judge(Self.chunk("Now").span) == .init(.isUndecided))
        for _ in 1..<8 { #expect(matcher.judge(Self.chunk(" stop").span) == .init(.isNew)) }
        #expect(matcher.judge(Self.chunk(" stop").span) == .init(.isNew, earlierAreRepeated: false))
    }

    @Test func undecidedLinesWaitForALimitedNumberOfBytes() {
        var matcher = matcher([Self.chunk("Now I run the tests.")])
        #expect(matcher.judge(Self.chunk("Now").span).verdict == .isUndecided)
        let long = Self.call("c", #""title":"\#(String(repeating: "x", count: 1 << 20))""#)
        #expect(matcher.judge(long.span) == .init(.isNew, earlierAreRepeated: false))
    }

    @Test func theBeginningOfTheNewestMessageIsRepeatedAtTheEnd() {
        var newest = matcher([Self.chunk("half of it")])
        _ = newest.judge(Self.chunk("half").span)
        #expect(newest.finish().areRepeated)
        var earlier = matcher([Self.chunk("half of it"), Self.call("c", #""a":1"#), Self.chunk("the end")])
        _ = earlier.judge(Self.chunk("half").span)
        #expect(!earlier.finish().areRepeated)
    }

    @Test func aToolCallThatChangesIsNew() {
        let history = matcher([
            Self.call("c", #""status":"pending","title":"make""#), Self.call("c", #""status":"completed""#),
        ])
        let lines = [
            Self.call("c", #""title":"make","status":"completed""#),
            Self.call("c", #""status":"pending","title":"make""#),
            Self.call("c", #""status":"failed""#), Self.call("d", #""status":"completed""#),
        ]
        #expect(verdicts(history, lines) == [.isRepeated, .isRepeated, .isNew, .isNew])
    }

    @Test func otherUpdatesAreRepeatedIfTheSameOneIsStored() {
        let plan = Self.update(#"{"sessionUpdate":"plan","entries":[1]}"#)
        let other = Self.update(#"{"sessionUpdate":"plan","entries":[2]}"#)
        #expect(verdicts(matcher([plan]), [plan, other]) == [.isRepeated, .isNew])
    }

    private static func mode(_ mode: String) -> [UInt8] {
        update(#"{"sessionUpdate":"current_mode_update","currentModeId":"\#(mode)"}"#)
    }

    @Test func statesAreRepeatedInTheirOrder() {
        var matcher = matcher(["ask", "code", "ask"].map { Self.mode($0) })
        let modes = ["ask", "code", "ask", "ask", "plan"]
        let verdicts = modes.map { matcher.judge(Self.mode($0).span).verdict }
        #expect(verdicts == [.isRepeated, .isRepeated, .isRepeated, .isNew, .isNew] && matcher.finish() == .init())
    }

    @Test func aStateThatIsNotTheNewestOfTheLogIsStoredAtTheEnd() {
        var matcher = matcher(["ask", "code"].map { Self.mode($0) })
        #expect(matcher.judge(Self.mode("ask").span).verdict == .isRepeated)
        #expect(matcher.finish().states == [Self.mode("ask")])
    }

    @Test func aNewlyOpenedSessionHasOnlyHistoryIfTheLogHasOne() {
        var history = StoredHistory()
        history.add([.update(n: 1, seq: 1, ts: 0, line: Self.chunk("in the log"))])
        var matcher = ReplayMatcher(history, hasOnlyHistory: true)
        #expect(matcher.judge(Self.chunk("in other words").span).verdict == .isRepeated)
        #expect(matcher.judge(Self.mode("ask").span).verdict == .isNew)
        var empty = ReplayMatcher(StoredHistory(), hasOnlyHistory: true)
        #expect(empty.judge(Self.chunk("in other words").span).verdict == .isNew)
    }

    @Test func aPromptIsRepeatedBecauseTheTimelineHasIt() {
        let prompt = Self.chunk("do it", "user_message_chunk")
        #expect(verdicts(matcher([Self.chunk("done")]), [prompt]) == [.isRepeated])
        #expect(verdicts(matcher([]), [prompt]) == [.isNew], "the log has nothing of this session")
    }

    /// Cuts a repeated text at random places, with new texts between: exactly the new ones are stored.
    @Test(arguments: 0..<50) func anInterleavingLosesNothingAndStoresNothingTwice(seed: Int) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        let words = (0..<40).map { "old-\($0);" }
        var matcher = matcher(words.map { Self.chunk($0) })
        var rest = Array(words.joined().utf8)[...]
        var (stored, written, undecided): ([String], [String], [String]) = ([], [], [])
        while !rest.isEmpty {
            let isNew = random(8) == 0
            let text: String
            if isNew {
                text = "new-\(written.count);"
                written.append(text)
            } else {
                text = String(decoding: rest.prefix(1 + random(12)), as: UTF8.self)
                rest = rest.dropFirst(text.utf8.count)
            }
            let judgement = matcher.judge(Self.chunk(text).span)
            if judgement.earlier == false { stored += undecided }
            if judgement.earlier != nil { undecided = [] }
            switch judgement.verdict {
            case .isNew: stored.append(text)
            case .isUndecided: undecided.append(text)
            case .isRepeated: break
            }
        }
        // Eight new texts within one repeated message show that it is not one: then it is stored again, and nothing is
        // lost.
        #expect(stored.filter { $0.hasPrefix("new") } == written)
        if written.count < 8 { #expect(stored == written) }
    }
}
