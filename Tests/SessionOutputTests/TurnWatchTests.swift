import Invocations
import Testing

@testable import SessionOutput

@Suite struct TurnWatchTests {
    private func entry(_ kind: String, _ data: String = "{}") throws -> TimelineValue {
        try #require(TimelineValue(Array(#"{"seq":1,"ts":2,"kind":"\#(kind)","data":\#(data)}"#.utf8)[...]))
    }

    private func prompt(_ text: String) throws -> TimelineValue {
        try entry("prompt", #"{"prompt":[{"type":"text","text":"\#(text)"}]}"#)
    }

    @Test func aTurnBeginsWithItsPromptAndEndsWithItsResult() throws {
        var watch = TurnWatch(prompt: "mine")
        #expect(!watch.handle(try prompt("another")))
        #expect(!watch.handle(try entry("agent_log")))
        #expect(!watch.hasBegun)
        #expect(!watch.handle(try prompt("mine")))
        #expect(watch.hasBegun)
        #expect(watch.handle(try entry("agent_log")))
        #expect(watch.handle(try entry("turn_end", #"{"stopReason":"end_turn"}"#)))
        #expect(watch.end == .stopped("end_turn"))
        #expect(!watch.handle(try entry("agent_log")))
    }

    /// The timeline has no more of a prompt with a large image than its text, and an older bridge's has nothing.
    @Test(arguments: [
        (#"{"prompt":[{"type":"text","text":"mine"}],"omittedBytes":2000000}"#, true),
        (#"{"prompt":[{"type":"text","text":"mi\ufffd"},{"type":"text","text":"x"}],"omittedBytes":2000000}"#, true),
        (#"{"prompt":[],"omittedBytes":2000000}"#, true), (#"{"omittedBytes":2000000}"#, true),
        (#"{"prompt":[{"type":"text","text":"another"}],"omittedBytes":2000000}"#, false),
    ])
    func aPartOfALongPromptBeginsItsTurn(data: String, isOwn: Bool) throws {
        var watch = TurnWatch(prompt: "mine and more")
        _ = watch.handle(try entry("prompt", data))
        #expect(watch.hasBegun == isOwn)
    }

    private func update(_ members: String, of session: String = "s") throws -> TimelineValue {
        let params = #"{"sessionId":"\#(session)","update":{"sessionUpdate":\#(members)}}"#
        let line = #"{"seq":1,"ts":2,"kind":"update","notification":{"params":\#(params)}}"#
        return try #require(TimelineValue(Array(line.utf8)[...]))
    }

    @Test func aTurnOfVersion2EndsWhenTheAgentIsIdleAgain() throws {
        var watch = TurnWatch(prompt: "mine")
        let text = #"[{"type":"text","text":"mine"}]"#
        #expect(!watch.handle(try entry("prompt", #"{"sessionId":"s","prompt":\#(text)}"#)))
        // The end of another turn, which was running.
        #expect(watch.handle(try update(#""state_update","state":"running""#)))
        #expect(watch.handle(try update(#""state_update","state":"idle","stopReason":"end_turn""#)))
        #expect(watch.end == nil)
        #expect(watch.handle(try update(#""user_message","messageId":"u","content":\#(text)"#)))
        #expect(watch.handle(try update(#""state_update","state":"running""#)))
        #expect(watch.handle(try entry("turn_end", #"{"messageId":"u"}"#)))
        watch.inserted(as: "u")
        #expect(watch.handle(try update(#""state_update","state":"idle","stopReason":"end_turn""#, of: "s.a")))
        #expect(watch.end == nil)
        #expect(watch.handle(try update(#""state_update","state":"idle","stopReason":"max_tokens""#)))
        #expect(watch.end == .stopped("max_tokens"))
        #expect(!watch.handle(try entry("turn_end", #"{"stopReason":"max_tokens"}"#)))
    }

    /// The messages of two clients. Their turns end one after the other.
    @Test func onlyTheTurnOfTheOwnMessageCounts() throws {
        var watch = TurnWatch(prompt: "mine")
        _ = watch.handle(try entry("prompt", #"{"sessionId":"s","prompt":[{"type":"text","text":"mine"}]}"#))
        for (id, reason) in [("other", "refusal"), ("own", "end_turn")] {
            _ = watch.handle(try update(#""user_message","messageId":"\#(id)""#))
            _ = watch.handle(try update(#""state_update","state":"running""#))
            _ = watch.handle(try entry("turn_end", #"{"messageId":"\#(id)"}"#))
            _ = watch.handle(try update(#""state_update","state":"idle","stopReason":"\#(reason)""#))
            _ = watch.handle(try update(#""state_update","state":"idle","stopReason":"cancelled""#))
        }
        #expect(watch.end == nil)
        watch.inserted(as: "own")
        #expect(watch.end == .stopped("end_turn"))
    }

    @Test func afterALostAnswerTheFirstMessageCounts() throws {
        var watch = TurnWatch(prompt: "mine")
        _ = watch.handle(try prompt("mine"))
        _ = watch.handle(try update(#""user_message","messageId":"u""#))
        _ = watch.handle(try update(#""state_update","state":"running""#))
        watch.answerLost()
        #expect(watch.end == nil)
        _ = watch.handle(try update(#""state_update","state":"idle""#))
        #expect(watch.end == .unreported)
    }

    @Test func anAgentWithoutStatesEndsItsTurnWithoutAReason() throws {
        var watch = TurnWatch(prompt: "mine")
        _ = watch.handle(try prompt("mine"))
        _ = watch.handle(try entry("turn_end", #"{"messageId":"u"}"#))
        #expect(watch.end == nil)
        _ = watch.handle(try entry("turn_end"))
        #expect(watch.end == .unreported && watch.end?.status == 0)
    }

    @Test func aTurnOfVersion2CanFail() throws {
        var watch = TurnWatch(prompt: "mine")
        _ = watch.handle(try prompt("mine"))
        _ = watch.handle(try entry("turn_end", #"{"stopReason":"error","error":{"message":"quota"}}"#))
        #expect(watch.end == .failed("quota"))
    }

    @Test(arguments: [
        (TurnEnd.stopped("end_turn"), Int32(0)), (.stopped("refusal"), 4), (.stopped("max_tokens"), 5),
        (.stopped("cancelled"), 6), (.failed("no"), 1),
    ])
    func eachEndHasItsExitStatus(end: TurnEnd, status: Int32) { #expect(end.status == status) }

    @Test func aLineThatIsNotATimelineValueIsIgnored() {
        #expect(TimelineValue(Array(#"{"jsonrpc":"2.0"}"#.utf8)[...]) == nil)
    }

    @Test func aFilterSelectsKindsAndNumbers() {
        let filter = AttachFilter(AttachOptions(sessions: ["s"], from: .number(5), kinds: ["plan"]), updateCount: 9)
        #expect(filter.wants(seq: 5, isUpdate: true) && !filter.wants(seq: 4, isUpdate: true))
        #expect(!filter.wants(seq: 5, isUpdate: false))
        let end = AttachFilter(AttachOptions(sessions: ["s"], from: .last(3)), updateCount: 9)
        #expect(end.wants(seq: 7, isUpdate: true) && !end.wants(seq: 6, isUpdate: true))
        #expect(AttachFilter(AttachOptions(sessions: ["s"], from: .last(30)), updateCount: 9).firstSeq == 1)
        #expect(filter.includesKind("plan") && !filter.includesKind("tool_call") && !filter.includesKind(nil))
    }
}
