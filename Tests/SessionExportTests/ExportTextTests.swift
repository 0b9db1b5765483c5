import JSONScan
import SessionRecords
import Testing
import Tinyvex

@testable import SessionExport

@Suite struct ExportTextTests {
    private static let start: Int64 = 1_763_697_600_000

    private func update(_ n: Int64, seq: Int64, after ms: Int64, _ update: String) -> TimelineItem {
        let line = #"{"jsonrpc":"2.0", "method":"session/update","params":{"sessionId":"s","update":\#(update)}}"#
        return .update(n: n, seq: seq, ts: Self.start + ms, line: Array(line.utf8))
    }

    private func chunk(_ n: Int64, after ms: Int64, _ text: String, _ kind: String = "agent_message_chunk")
        -> TimelineItem
    {
        update(
            n, seq: n, after: ms, #"{"sessionUpdate":"\#(kind)","content":{"type":"text","text":"\#(text)"}}"#)
    }

    private func message(_ n: Int64, after ms: Int64, id: String) -> TimelineItem {
        let content = #""content":{"type":"text","text":"x"}"#
        return update(
            n, seq: n, after: ms, #"{"sessionUpdate":"agent_message_chunk","messageId":"\#(id)",\#(content)}"#)
    }

    private func entry(_ n: Int64, seq: Int64, after ms: Int64, _ kind: String, _ body: String) -> TimelineItem {
        .entry(n: n, seq: seq, ts: Self.start + ms, kind: kind, body: Array(body.utf8))
    }

    private func export(
        _ format: ExportRequest.Format, _ items: [TimelineItem], from cursor: ExportCursor = ExportCursor()
    ) -> (lines: [String], cursor: ExportCursor) {
        var text = ExportText(format: format, cursor: cursor)
        text.add(items, title: "A title")
        let lines = String(decoding: text.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        return (lines, text.cursor)
    }

    @Test func anNDJSONLineContainsTheUpdateUnchanged() {
        let (lines, _) = export(
            .ndjson, [entry(1, seq: 0, after: 0, "prompt", #"{ "prompt":[]}"#), update(2, seq: 1, after: 1, "{ }")])
        #expect(
            lines == [
                #"{"seq":0,"ts":"2025-11-21T04:00:00.000Z","kind":"prompt","data":{ "prompt":[]}}"#,
                #"{"seq":1,"ts":"2025-11-21T04:00:00.001Z","kind":"update","notification":{"jsonrpc":"2.0", "#
                    + #""method":"session/update","params":{"sessionId":"s","update":{ }}}}"#,
            ])
    }

    @Test func updatesDeletedByRetentionAreReportedAsSkipped() {
        let (lines, _) = export(.ndjson, [update(12, seq: 8, after: 0, "{}")])
        #expect(lines.first == #"{"kind":"skipped","fromSeq":1,"toSeq":7,"reason":"retention"}"#)
        #expect(lines.count == 2)
    }

    @Test func aRecordingShowsPromptsMessagesAndToolCalls() {
        let (lines, _) = export(
            .asciicast,
            [
                entry(1, seq: 0, after: 0, "prompt", #"{"prompt":[{"type":"text","text":"Hi"}]}"#),
                chunk(2, after: 1500, "think", "agent_thought_chunk"), chunk(3, after: 1501, "a\\nb"),
                chunk(4, after: 1502, "c"),
                update(
                    5, seq: 4, after: 1600,
                    #"{"sessionUpdate":"tool_call","toolCallId":"t","title":"Read","status":"completed"}"#),
                update(6, seq: 5, after: 1601, #"{"sessionUpdate":"usage_update"}"#),
                entry(7, seq: 5, after: 2000, "turn_end", #"{"stopReason":"end_turn"}"#),
            ])
        #expect(
            lines == [
                #"{"version":2,"width":100,"height":30,"timestamp":1763697600,"title":"A title"}"#,
                "[0.000,\"o\",\"\\u001b[1m> Hi\\u001b[0m\\r\\n\"]", "[1.500,\"o\",\"\\u001b[2mthink\\u001b[0m\"]",
                #"[1.501,"o","\r\na\r\nb"]"#, #"[1.502,"o","c"]"#,
                "[1.600,\"o\",\"\\r\\n\\u001b[32m✓ Read\\u001b[0m\\r\\n\"]",
                "[2.000,\"o\",\"\\u001b[2m— end_turn\\u001b[0m\\r\\n\"]",
            ])
        #expect(lines.allSatisfy { (try? JSONValue(validating: Array($0.utf8))) != nil })
    }

    @Test func terminalEscapesFromTheAgentAreRemoved() {
        let (lines, _) = export(.asciicast, [chunk(1, after: 0, "a\\u001b]0;x\\u0007b\\u009bc\\t")])
        #expect(lines.last == #"[0.000,"o","a]0;xbc\t"]"#)
    }

    @Test func lineBreaksInOneLineFieldsAreEscaped() {
        let call = #"{"sessionUpdate":"tool_call","toolCallId":"t","title":"a\nFAKE\u202e","status":"completed"}"#
        let plan = #"{"sessionUpdate":"plan","entries":[{"content":"b\nFAKE","status":"x\nFAKE"}]}"#
        let request = #"{"params":{"toolCall":{"title":"c\r\nFAKE\u2028"}}}"#
        let (lines, _) = export(
            .asciicast,
            [
                update(1, seq: 1, after: 0, call), update(2, seq: 2, after: 0, plan),
                entry(3, seq: 2, after: 0, "permission_request", request),
                entry(4, seq: 2, after: 0, "turn_end", #"{"error":{"message":"d\nFAKE"}}"#),
            ])
        #expect(
            lines.dropFirst().map { $0.split(separator: "\\u001b")[1] } == [
                "[32m✓ a⏎FAKE<U+202E>", "[36m[ ] b⏎FAKE", "[33m? permission: c⏎FAKE<U+2028>", "[2m— error: d⏎FAKE",
            ])
    }

    @Test func recordedTimesNeverDecrease() {
        let (lines, _) = export(
            .asciicast, [chunk(1, after: 0, "a"), chunk(2, after: 900, "b"), chunk(3, after: -5000, "c")])
        #expect(lines.dropFirst().map { $0.prefix(6) } == ["[0.000", "[0.900", "[0.900"])
    }

    @Test(arguments: ExportRequest.Format.allCases)
    func joinedPagesEqualTheWholeExport(format: ExportRequest.Format) throws {
        let edit = #""toolCallId":"t","content":[{"type":"diff","path":"a","newText":"x\n"}]"#
        let items = [
            entry(1, seq: 0, after: 0, "agent_start", #"{"agent":"codex"}"#), chunk(2, after: 5, "Hel"),
            chunk(3, after: 4, "lo"), chunk(4, after: 7, "hm", "agent_thought_chunk"),
            message(5, after: 8, id: "1"), message(6, after: 8, id: "1"), message(7, after: 8, id: "2"),
            update(8, seq: 7, after: 9, #"{"sessionUpdate":"plan","entries":[{"content":"x","status":"pending"}]}"#),
            entry(9, seq: 7, after: 10, "agent_exit", #"{"reason":"signaled","signal":9}"#),
            // The change is shown once, also if a page ends between the two.
            update(10, seq: 8, after: 11, #"{"sessionUpdate":"tool_call",\#(edit)}"#),
            entry(11, seq: 8, after: 12, "permission_request", #"{"params":{"toolCall":{\#(edit)}}}"#),
        ].enumerated().map { index, item in
            // The updates' own numbers have no gaps.
            guard case .update(let n, _, let ts, let line) = item else { return item }
            return TimelineItem.update(n: n, seq: Int64(index), ts: ts, line: line)
        }
        let whole = export(format, items).lines
        if format == .asciicast { #expect(whole.filter { $0.contains("+x") }.count == 1) }
        for cut in items.indices {
            let first = export(format, Array(items[..<cut]))
            let again = try ExportRequest(
                Parameters(JSONValue(validating: Array(#"{"sessionId":"s","cursor":"\#(first.cursor.text)"}"#.utf8))))
            #expect(again.cursor.after == Int64(cut))
            let cursor = cut == 0 ? ExportCursor() : again.cursor
            #expect(first.lines + export(format, Array(items[cut...]), from: cursor).lines == whole)
        }
    }

    @Test(arguments: ["", "1", "1.2.3.4.9", "1.2.3.4.-1", "a.b.c.d.e", "1.2.3.4.1.", "99999999999999999999.0.0.0.0"])
    func anInvalidCursorIsRefused(text: String) throws {
        let params = try JSONValue(validating: Array(#"{"sessionId":"s","cursor":"\#(text)"}"#.utf8))
        #expect(throws: Rejection.self) { try ExportRequest(Parameters(params)) }
    }

    @Test func extremeNumbersDoNotOverflow() throws {
        let max = Int64.max
        let params = #"{"sessionId":"s","format":"asciicast","cursor":"\#(max).\#(max).\#(max).\#(max).0"}"#
        let cursor = try ExportRequest(Parameters(JSONValue(validating: Array(params.utf8)))).cursor
        let item = TimelineItem.entry(n: max, seq: max, ts: .min, kind: "turn_end", body: Array("{}".utf8))
        #expect(export(.asciicast, [item], from: cursor).lines.count == 1)
        #expect(export(.ndjson, [item], from: ExportCursor()).lines.count == 2)
    }
}
