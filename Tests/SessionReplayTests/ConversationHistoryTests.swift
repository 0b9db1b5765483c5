import SessionRecords
import Testing

@testable import SessionReplay

@Suite struct ConversationHistoryTests {
    private static let answer =
        #"{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk"}}}"#
    private static let echo =
        #"{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"user_message_chunk"}}}"#

    private static func added(_ block: String) -> String {
        #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":"#
            + #"{"sessionUpdate":"user_message_chunk","content":\#(block)}}}"#
    }

    private static func prompt(_ n: Int64, _ blocks: String, seq: Int64 = 0) -> TimelineItem {
        .entry(
            n: n, seq: seq, ts: 0, kind: "prompt", body: Array(#"{"sessionId":"s","prompt":[\#(blocks)]}"#.utf8))
    }

    private static func update(_ n: Int64, seq: Int64, _ line: String = answer) -> TimelineItem {
        .update(n: n, seq: seq, ts: 0, line: Array(line.utf8))
    }

    private func texts(_ pages: [[TimelineItem]], addsPrompts: Bool = true) -> [String] {
        var history = ConversationHistory(sessionId: "s", addsPrompts: addsPrompts)
        let lines = pages.flatMap { history.lines(for: $0) } + history.rest()
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    /// An earlier fault: the history had answers without questions.
    @Test func eachBlockOfAPromptIsAnUpdateInItsPlace() {
        let first = [Self.prompt(1, #"{"text":"a"},{"uri":"f"}"#), Self.update(2, seq: 1)]
        let second = [Self.prompt(3, #"{"text":"b"}"#, seq: 1)]
        let wanted = [
            Self.added(#"{"text":"a"}"#), Self.added(#"{"uri":"f"}"#), Self.answer, Self.added(#"{"text":"b"}"#),
        ]
        #expect(texts([first + second]) == wanted)
        #expect(texts([first, second]) == wanted)
    }

    @Test func aPromptThatTheAgentRepeatsIsNotAdded() {
        let items = [Self.prompt(1, #"{"text":"a"}"#), Self.update(2, seq: 1, Self.echo), Self.update(3, seq: 2)]
        #expect(texts([items]) == [Self.echo, Self.answer])
        #expect(texts([[items[0]], Array(items[1...])]) == [Self.echo, Self.answer])
    }

    @Test func version2HasNoAddedPrompts() {
        #expect(
            texts([[Self.prompt(1, #"{"text":"a"}"#), Self.update(2, seq: 1)]], addsPrompts: false) == [Self.answer])
    }

    @Test func version2HasNoNotices() {
        let notice = Self.answer.replacing("agent_message_chunk", with: "notice")
        #expect(texts([[Self.update(1, seq: 1, notice), Self.update(2, seq: 2)]], addsPrompts: false) == [Self.answer])
        #expect(texts([[Self.update(1, seq: 1, notice)]]) == [notice], "version 1 knows no such rule")
    }

    @Test func aPromptThatWasTooLongHasNoUpdate() {
        let body = Array(#"{"omittedBytes":2000000}"#.utf8)
        #expect(
            texts([[.entry(n: 1, seq: 0, ts: 0, kind: "prompt", body: body), Self.update(2, seq: 1)]]) == [Self.answer])
    }

    @Test func theLastNumberIsTheNewestUpdates() {
        var history = ConversationHistory(sessionId: "s", addsPrompts: true)
        _ = history.lines(for: [Self.update(1, seq: 7), Self.prompt(2, "", seq: 7)])
        #expect(history.lastSeq == 7)
    }
}
