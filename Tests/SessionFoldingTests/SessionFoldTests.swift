import ACPRouting
import JSONScan
import SessionRecords
import Testing

@testable import SessionFolding

@Suite struct SessionFoldTests {
    var fold = SessionFold()
    private var count: Int64 = 0

    private mutating func update(_ update: String) {
        count += 1
        let line = #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":\#(update)}}"#
        fold.apply(.update(n: count, seq: count, ts: count, line: Array(line.utf8)))
    }

    private mutating func entry(_ kind: String, _ body: String) {
        count += 1
        fold.apply(.entry(n: count, seq: 0, ts: count * 10, kind: kind, body: Array(body.utf8)))
    }

    private var toolCalls: String {
        String(decoding: JSONWriter.array { fold.toolCalls.write(to: &$0) }, as: UTF8.self)
    }

    private var permissions: String {
        String(decoding: JSONWriter.array { fold.writePermissions(to: &$0) }, as: UTF8.self)
    }

    private var elicitations: String {
        String(decoding: JSONWriter.array { fold.writeElicitations(to: &$0) }, as: UTF8.self)
    }

    @Test mutating func elicitationsAreKeptUntilTheyAreAnsweredOrTheAgentEnds() {
        entry("elicitation_request", #"{"requestId":5,"params":{"mode":"form"}}"#)
        entry("elicitation_request", #"{"requestId":6,"params":{"mode":"url"}}"#)
        entry("permission_answer", #"{"requestId":6,"result":{}}"#)
        entry("elicitation_answer", #"{"requestId":5,"result":{"action":"cancel"}}"#)
        #expect(elicitations == #"[{"requestId":6,"askedTs":20,"params":{"mode":"url"}}]"#)
        for id in 10...30 { entry("elicitation_request", #"{"requestId":\#(id),"params":{}}"#) }
        #expect(!elicitations.contains(#""requestId":14"#) && elicitations.contains(#""requestId":15"#))
        entry("agent_exit", #"{"exitCode":0}"#)
        #expect(elicitations == "[]")
    }

    private var turn: String {
        String(decoding: JSONWriter.object { fold.turn.write(to: &$0) }, as: UTF8.self)
    }

    private func part(_ part: SessionFold.Part) -> String? {
        fold.part(part).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test mutating func theNewestUpdateOfAKindIsKept() {
        update(#"{"sessionUpdate":"plan","entries":[1]}"#)
        update(#"{"sessionUpdate":"plan","entries":[ 2 ]}"#)
        update(#"{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"a"}]}"#)
        update(#"{"sessionUpdate":"usage_update","used":18446744073709551615,"size":1.50}"#)
        update(#"{"sessionUpdate":"config_option_update","configOptions":[]}"#)
        update(#"{"sessionUpdate":"current_mode_update","currentModeId":"code"}"#)
        update(#"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"}}"#)
        update(#"{"sessionUpdate":"of_tomorrow"}"#)
        #expect(part(.plan) == #"{"entries":[ 2 ]}"#)
        #expect(part(.commands) == #"[{"name":"a"}]"#)
        #expect(part(.usage) == #"{"used":18446744073709551615,"size":1.50}"#)
        #expect(part(.configOptions) == "[]")
        #expect(fold.currentModeId == "code")
        #expect(fold.lastSeq == 8)
    }

    @Test mutating func theCostStaysUntilTheNextOne() {
        update(#"{"sessionUpdate":"usage_update","used":1,"size":9,"cost":{"amount":0.5,"currency":"USD"}}"#)
        update(#"{"sessionUpdate":"usage_update","used":2,"size":9}"#)
        #expect(part(.usage) == #"{"used":2,"size":9,"cost":{"amount":0.5,"currency":"USD"}}"#)
        update(#"{"sessionUpdate":"usage_update","used":3,"size":9,"cost":null}"#)
        #expect(part(.usage) == #"{"used":3,"size":9,"cost":null}"#)
    }

    @Test mutating func theCostIsThatOfAllRuns() {
        let first = #"{"used":2,"size":9,"cost":{"amount":0.50,"currency":"USD"}}"#
        entry("agent_start", "{}")
        entry("prompt", "{}")
        update(#"{"sessionUpdate":"usage_update","used":2,"size":9,"cost":{"amount":0.50,"currency":"USD"}}"#)
        #expect(usage() == first, "the agent's own spelling")
        entry("agent_exit", "{}")
        entry("agent_start", "{}")
        entry("prompt", "{}")
        #expect(usage() == first)
        update(#"{"sessionUpdate":"usage_update","used":3,"size":9,"cost":{"amount":0.25,"currency":"USD"}}"#)
        #expect(usage() == #"{"used":3,"size":9,"cost":{"amount":0.75,"currency":"USD"}}"#)
        let known = UsageCost(amount: 4, currency: "USD")
        #expect(usage(known) == #"{"used":3,"size":9,"cost":{"amount":4.0,"currency":"USD"}}"#)
    }

    @Test mutating func theTokensOfTurnsAreAddedInBothVersions() {
        let report = #""usage":{"totalTokens":10,"inputTokens":8,"outputTokens":2}"#
        entry("turn_end", #"{"stopReason":"end_turn",\#(report)}"#)
        #expect(fold.tokens?.total == 10)
        update(#"{"sessionUpdate":"state_update","state":"running"}"#)
        update(#"{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn",\#(report)}"#)
        #expect(fold.tokens?.total == 20)
        // A repeated idle is a snapshot.
        update(#"{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn",\#(report)}"#)
        #expect(fold.tokens?.total == 20)
    }

    private func usage(_ known: UsageCost? = nil) -> String? {
        fold.usage(costing: known).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test mutating func theRateLimitStaysUntilTheNextOne() {
        update(
            #"{"sessionUpdate":"usage_update","used":1,"size":9,"_meta":{"_claude/rateLimit":{"utilization":0.5}}}"#)
        update(#"{"sessionUpdate":"usage_update","used":2,"size":9,"_meta":{"_claude/model":"m"}}"#)
        #expect(fold.rateLimit?.used == 0.5)
        #expect(part(.usage) == #"{"used":2,"size":9,"_meta":{"_claude/model":"m"}}"#)
    }

    @Test mutating func aToolCallIsMergedMemberByMember() {
        update(#"{"sessionUpdate":"tool_call","toolCallId":"1","title":"Read","status":"pending","content":[1,2]}"#)
        update(#"{"sessionUpdate":"tool_call","toolCallId":"2","title":"Other"}"#)
        update(
            #"{"sessionUpdate":"tool_call_update","toolCallId":"1","status":"completed","content":[3],"title":null}"#)
        #expect(
            toolCalls == #"[{"toolCallId":"1","title":"Read","status":"completed","content":[3]},"#
                + #"{"toolCallId":"2","title":"Other"}]"#)
    }

    @Test mutating func anUpdateOfAnUnknownCallCreatesTheCall() {
        update(#"{"sessionUpdate":"tool_call_update","toolCallId":"1","status":"failed"}"#)
        update(#"{"sessionUpdate":"tool_call_update","status":"failed"}"#)
        #expect(toolCalls == #"[{"toolCallId":"1","status":"failed"}]"#)
    }

    @Test mutating func aKindSpelledWithEscapesIsTheSameKind() {
        update(#"{"sessionUpdate":"tool\u005fcall","toolCallId":"1"}"#)
        #expect(toolCalls == #"[{"toolCallId":"1"}]"#)
    }

    @Test mutating func aTurnBeginsWithItsPromptAndEndsWithItsAnswer() {
        #expect(turn == #"{"state":"idle"}"#)
        entry("prompt", "{}")
        #expect(turn == #"{"state":"running","startedTs":10}"#)
        entry("turn_end", #"{"stopReason":"end_turn"}"#)
        #expect(turn == #"{"state":"idle","startedTs":10,"endedTs":20,"stopReason":"end_turn"}"#)
        entry("prompt", "{}")
        entry("turn_end", #"{"error":{"code":1}}"#)
        #expect(turn == #"{"state":"idle","startedTs":30,"endedTs":40,"error":{"code":1}}"#)
        entry("prompt", "{}")
        entry("agent_exit", #"{"reason":"signaled","signal":9}"#)
        #expect(turn.hasPrefix(#"{"state":"idle""#))
    }

    @Test mutating func aPermissionIsPendingUntilItIsAnsweredOrItsAgentEnds() {
        entry(
            "permission_request", #"{"requestId":5,"params":{"toolCall":{"toolCallId":"1","title":"rm"},"options":[]}}"#
        )
        entry("permission_request", #"{"requestId":"5","params":{}}"#)
        #expect(permissions.contains(#"{"requestId":5,"askedTs":10,"params":{"toolCall""#))
        #expect(toolCalls == #"[{"toolCallId":"1","title":"rm"}]"#)
        entry("permission_answer", #"{"requestId":5,"result":{}}"#)
        #expect(permissions == #"[{"requestId":"5","askedTs":20,"params":{}}]"#)
        entry("agent_exit", "{}")
        #expect(permissions == "[]")
    }

    @Test mutating func oversizedPartsAreOmitted() {
        let large = String(repeating: "x", count: SessionFold.partLimitBytes)
        update(#"{"sessionUpdate":"plan","entries":[]}"#)
        update(#"{"sessionUpdate":"plan","entries":["\#(large)"]}"#)
        entry("permission_request", #"{"requestId":1,"params":{"x":"\#(large)"}}"#)
        #expect(part(.plan) == nil)
        #expect(permissions == "[]")
    }

    @Test mutating func oldFinishedCallsLoseTheirContentFirst() {
        let content = String(repeating: "x", count: 30_000)
        for id in 0..<18 {
            let status = id == 0 ? "in_progress" : "completed"
            update(
                #"{"sessionUpdate":"tool_call","toolCallId":"\#(id)","title":"t","status":"\#(status)","content":["\#(content)"]}"#
            )
            #expect(fold.toolCalls.byteCount <= ToolCalls.limitBytes)
        }
        #expect(fold.toolCalls.strippedCount > 0 && fold.toolCalls.omittedCount == 0)
        #expect(toolCalls.contains(#"{"toolCallId":"0","title":"t","status":"in_progress","content":["xx"#))
        #expect(toolCalls.contains(#"{"toolCallId":"1","title":"t","status":"completed"}"#))
        #expect(toolCalls.contains(#"{"toolCallId":"17","title":"t","status":"completed","content":["xx"#))
    }

    @Test mutating func theOldestCallsAreOmittedOverTheLimit() {
        for id in 0..<10_000 {
            update(#"{"sessionUpdate":"tool_call","toolCallId":"\#(id)","title":"a title","status":"completed"}"#)
        }
        #expect(fold.toolCalls.omittedCount > 0)
        #expect(fold.byteCount <= ToolCalls.limitBytes)
        #expect(toolCalls.contains(#""toolCallId":"9999""#) && !toolCalls.contains(#""toolCallId":"0""#))
        update(#"{"sessionUpdate":"tool_call_update","toolCallId":"9999","status":"failed"}"#)
        #expect(toolCalls.contains(#"{"toolCallId":"9999","title":"a title","status":"failed"}"#))
    }
}
