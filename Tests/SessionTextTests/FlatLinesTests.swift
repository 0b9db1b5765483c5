import JSONScan
import Testing
import Tinyvex

@testable import SessionText

@Suite struct FlatLinesTests {
    private func json(_ text: String) throws -> JSONValue { try JSONValue(validating: Array(text.utf8)) }

    private func line(
        _ lines: inout FlatLines, _ kind: TimelineEntryKind, _ content: String
    ) throws -> String {
        let line = lines.line(seq: 7, time: 1_700_000_000_123, kind: kind, content: try json(content))
        return String(decoding: line, as: UTF8.self)
    }

    private func update(_ members: String) -> String {
        #"{"method":"session/update","params":{"sessionId":"s-1","update":{\#(members)}}}"#
    }

    private let start = #"{"seq":7,"ts":"2023-11-14T22:13:20.123Z","session":"s-1","agent":"demo","kind":"#

    @Test func aCallKeepsItsToolAndTitleInLaterUpdates() throws {
        var lines = FlatLines(session: "s-1", agent: "demo")
        let new = #""sessionUpdate":"tool_call","toolCallId":"t","title":"Edit a","kind":"edit","status":"pending""#
        #expect(
            try line(&lines, .update, update(new)) == start
                + #""tool_call","tool":"edit","call":"t","status":"pending","text":"Edit a"}"#)
        let done = #""sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed""#
        #expect(
            try line(&lines, .update, update(done)) == start
                + #""tool_call_update","tool":"edit","call":"t","status":"completed","text":"✓ Edit a"}"#)
    }

    @Test func theChangesOfACallAndItsOutputAreLeftOut() throws {
        var lines = FlatLines(session: "s-1", agent: "demo")
        let diff = #"{"type":"diff","path":"a","newText":"x"}"#
        let text = #"{"type":"content","content":{"type":"text","text":"y"}}"#
        let call = #""toolCallId":"t","title":"T","kind":"execute","content":[\#(diff),\#(text)]"#
        let members = start + #""permission_request","tool":"execute","call":"t","text":"? permission: T"}"#
        #expect(try line(&lines, .permissionRequest, #"{"params":{"toolCall":{\#(call)}}}"#) == members)
        let done = #""sessionUpdate":"tool_call_update","status":"failed",\#(call)"#
        #expect(
            try line(&lines, .update, update(done)) == start
                + #""tool_call_update","tool":"execute","call":"t","status":"failed","text":"✗ T\n  diff a"}"#)
    }

    @Test(arguments: [
        (TimelineEntryKind.agentStart, #"{"agent":"demo","pid":1}"#, #""agent_start","text":"agent demo started"}"#),
        (.prompt, #"{"prompt":[{"type":"text","text":"a\nb"}]}"#, #""prompt","text":"> a\nb"}"#),
        (.turnEnd, #"{"stopReason":"end_turn"}"#, #""turn_end","status":"end_turn","text":"— end_turn"}"#),
        (.turnEnd, #"{"error":{"message":"no"}}"#, #""turn_end","status":"error","text":"— error: no"}"#),
        (
            .permissionRequest, #"{"requestId":5,"params":{"toolCall":{"toolCallId":"t","title":"T","kind":"edit"}}}"#,
            #""permission_request","tool":"edit","call":"t","text":"? permission: T"}"#
        ),
        (
            .permissionAnswer, #"{"requestId":5,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}"#,
            #""permission_answer","status":"selected","text":"  yes (editor)"}"#
        ),
        (.agentExit, #"{"exitCode":1}"#, #""agent_exit","status":"exit 1","text":"agent ended with status 1"}"#),
        (
            .agentExit, #"{"reason":"interrupted"}"#,
            #""agent_exit","status":"interrupted","text":"agent ended, because its bridge was killed"}"#
        ),
        (.agentExit, #"{"signal":9}"#, #""agent_exit","status":"signal 9","text":"agent ended by signal 9"}"#),
    ])
    func anEntryHasItsKindStatusAndText(kind: TimelineEntryKind, content: String, wanted: String) throws {
        var lines = FlatLines(session: "s-1", agent: "demo")
        #expect(try line(&lines, kind, content) == start + wanted)
    }

    @Test func chunksAreOnLinesOfTheirOwn() throws {
        var lines = FlatLines(session: "s-1", agent: "demo")
        let chunk = update(#""sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"}"#)
        for _ in 0..<2 {
            #expect(try line(&lines, .update, chunk) == start + #""agent_message_chunk","text":"a"}"#)
        }
    }

    @Test(arguments: ["x", "\\\"", "\\n", "€", "🙂", "\\u001b"])
    func aLineWithItsLineFeedHasAtMost4096BytesOfValidJSON(unit: String) throws {
        var lines = FlatLines(session: "s-1", agent: "demo")
        let long = String(repeating: unit, count: 10_000)
        let call =
            #""sessionUpdate":"\#(long)","toolCallId":"\#(long)","title":"\#(long)","kind":"\#(long)","status":"\#(long)""#
        for content in [
            update(call), update(#""sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"\#(long)"}"#),
            #"{"params":{"sessionId":"\#(long)"}}"#,
        ] {
            let line = try line(&lines, .update, content)
            #expect(line.utf8.count < FlatLines.limitBytes)
            let names = try json(line).members.map(\.name)
            #expect(names.last == "text")
        }
    }

    @Test func aCutTextIsAsLongAsItCanBeAndEndsWithAnEllipsis() {
        #expect(FlatLines.cut("abcdef", to: 6) == "abcdef")
        #expect(FlatLines.cut("abcdefg", to: 6) == "abc…")
        #expect(FlatLines.cut("ab\"defg", to: 6) == "ab…")
        #expect(FlatLines.cut("€€€", to: 8) == "€…")
        #expect(FlatLines.cut("", to: 0) == "")
    }
}
