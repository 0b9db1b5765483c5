import JSONScan
import SessionRecords
import Testing

@testable import SessionFolding

/// The state that results from the updates of ACP version 2.
@Suite struct SessionFoldVersion2Tests {
    private var fold = SessionFold()
    private var count: Int64 = 0

    private mutating func update(_ members: String, of session: String = "S1") {
        count += 1
        let params = #"{"sessionId":"\#(session)","update":{"sessionUpdate":\#(members)}}"#
        let line = #"{"jsonrpc":"2.0","method":"session/update","params":\#(params)}"#
        fold.apply(.update(n: count, seq: count, ts: count, line: Array(line.utf8)))
    }

    private mutating func entry(_ kind: String, _ body: String) {
        count += 1
        fold.apply(.entry(n: count, seq: 0, ts: count, kind: kind, body: Array(body.utf8)))
    }

    private var toolCalls: String {
        String(decoding: JSONWriter.array { fold.toolCalls.write(to: &$0) }, as: UTF8.self)
    }

    private var turn: String { String(decoding: JSONWriter.object { fold.turn.write(to: &$0) }, as: UTF8.self) }

    private var entities: String {
        String(decoding: JSONWriter.object { fold.writeEntities(to: &$0) }, as: UTF8.self)
    }

    @Test mutating func nullClearsAMemberOfACallAndMetadataIsMerged() {
        update(#""state_update","state":"running""#)
        update(#""tool_call_update","toolCallId":"c","title":"Edit","status":"pending","_meta":{"a":1,"b":2}"#)
        update(#""tool_call_update","toolCallId":"c","status":"cancelled","title":null,"_meta":{"b":null,"c":3}"#)
        #expect(toolCalls == #"[{"toolCallId":"c","status":"cancelled","_meta":{"a":1,"b":null,"c":3}}]"#)
        update(#""tool_call_update","toolCallId":"c","_meta":null"#)
        #expect(toolCalls == #"[{"toolCallId":"c","status":"cancelled"}]"#)
    }

    @Test mutating func chunksOfContentAreItemsOfTheirCall() {
        update(#""tool_call_content_chunk","toolCallId":"c","content":{"type":"diff","changes":[]}"#)
        update(#""tool_call_content_chunk","toolCallId":"c","content":{"type":"terminal","terminalId":"t"}"#)
        #expect(
            toolCalls
                == #"[{"toolCallId":"c","content":[{"type":"diff","changes":[]},{"type":"terminal","terminalId":"t"}]}]"#
        )
        update(#""tool_call_update","toolCallId":"c","content":[ ]"#)
        update(#""tool_call_content_chunk","toolCallId":"c","content":1"#)
        #expect(toolCalls == #"[{"toolCallId":"c","content":[ 1]}]"#)
    }

    @Test mutating func theAgentsStateDecidesWhetherATurnRuns() {
        entry("prompt", "{}")
        update(#""state_update","state":"running""#)
        entry("turn_end", #"{"messageId":"u1"}"#)
        #expect(turn == #"{"state":"running","agentState":"running","startedTs":1}"#)
        update(#""state_update","state":"requires_action""#)
        #expect(turn == #"{"state":"running","agentState":"requires_action","startedTs":1}"#)
        update(#""state_update","state":"idle","stopReason":"end_turn","background":[1]"#)
        let end = #""startedTs":1,"endedTs":5,"stopReason":"end_turn"}"#
        #expect(turn == #"{"state":"idle","agentState":"idle","background":[1],"# + end)
        // A snapshot does not end the turn again. An absent list of background work leaves the list unchanged.
        update(#""state_update","state":"idle","stopReason":"cancelled""#)
        #expect(turn == #"{"state":"idle","agentState":"idle","background":[1],"# + end)
        update(#""state_update","state":"idle","background":[]"#)
        #expect(turn == #"{"state":"idle","agentState":"idle","background":[],"# + end)
    }

    @Test mutating func aTurnCanBeginWithoutAPromptAndFail() {
        update(#""state_update","state":"unknown""#)
        #expect(turn == #"{"state":"running","agentState":"unknown","startedTs":1}"#)
        update(#""state_update","state":"idle","stopReason":"error","error":{"code":1}"#)
        #expect(
            turn
                == #"{"state":"idle","agentState":"idle","startedTs":1,"endedTs":2,"stopReason":"error","error":{"code":1}}"#
        )
        entry("agent_exit", "{}")
        #expect(turn == #"{"state":"idle","startedTs":1,"endedTs":2,"stopReason":"error","error":{"code":1}}"#)
    }

    @Test mutating func aTerminalKeepsTheEndOfItsOutputAsText() {
        update(#""terminal_update","terminalId":"t","command":"make","cwd":"/w""#)
        update(#""terminal_output_chunk","terminalId":"t","data":"ww==""#)
        update(#""terminal_output_chunk","terminalId":"t","data":"qQ==""#)
        update(#""terminal_update","terminalId":"t","exitStatus":{"exitCode":0},"cwd":null"#)
        #expect(
            entities == #"{"terminals":[{"terminalId":"t","command":"make","exitStatus":{"exitCode":0},"output":"é"}]}"#
        )
        update(#""terminal_update","terminalId":"t","output":{"data":"YQ=="}"#)
        update(#""terminal_output_chunk","terminalId":"t","data":"Yg==""#)
        #expect(entities.contains(#""output":"ab""#))
        update(#""terminal_update","terminalId":"t","output":null"#)
        #expect(!entities.contains("output"))
    }

    @Test mutating func theOutputOfTerminalsIsLimited() throws {
        let data = String(repeating: "w6nDqcOp", count: 5_000)
        for number in 0..<40 { update(#""terminal_output_chunk","terminalId":"\#(number)","data":"\#(data)""#) }
        for _ in 0..<10 { update(#""terminal_output_chunk","terminalId":"39","data":"\#(data)""#) }
        #expect(fold.byteCount < 33 * 2 * Terminals.outputLimitBytes + 10_000)
        let terminals = try JSONValue(validating: Array(entities.utf8))["terminals"]?.elements ?? []
        #expect(terminals.count == Terminals.countLimit)
        let last = try #require(terminals.last)
        let output = last["output"]?.stringValue ?? ""
        #expect(output.utf8.count <= Terminals.outputLimitBytes)
        #expect(last["omittedBytes"]?.int64Value == Int64(11 * 30_000 - output.utf8.count))
    }

    @Test mutating func plansAreKeptById() {
        func plan(_ id: String, _ entries: String) -> String {
            #""plan_update","plan":{"type":"items","planId":"\#(id)","entries":\#(entries)}"#
        }
        update(plan("1", "[1]"))
        update(plan("2", "[2]"))
        update(plan("1", "[3]"))
        #expect(fold.part(.plan).map { String(decoding: $0, as: UTF8.self) } == #"{"entries":[3]}"#)
        #expect(
            entities
                == #"{"plans":[{"type":"items","planId":"2","entries":[2]},{"type":"items","planId":"1","entries":[3]}]}"#
        )
        update(#""plan_removed","planId":"1""#)
        #expect(fold.part(.plan).map { String(decoding: $0, as: UTF8.self) } == #"{"entries":[2]}"#)
        update(plan("2", "[\"\(String(repeating: "x", count: SessionFold.partLimitBytes))\"]"))
        #expect(fold.part(.plan) == nil)
        #expect(entities == "{}")
    }

    @Test mutating func aSubagentsUpdatesDoNotChangeItsParent() {
        update(#""subagent_update","sessionId":"S1.a","title":"Explorer","capabilities":{"cancel":{}}"#)
        update(#""subagent_update","sessionId":"S1.b","title":"Nested""#, of: "S1.a")
        update(#""state_update","state":"running""#, of: "S1.a")
        update(#""tool_call_update","toolCallId":"c","title":"Read""#, of: "S1.a")
        update(#""terminal_update","terminalId":"t""#, of: "S1.b")
        update(#""subagent_update","sessionId":"S1.a","capabilities":null"#)
        #expect(
            entities == #"{"subagents":[{"sessionId":"S1.a","title":"Explorer","parentSessionId":"S1","#
                + #""state":{"state":"running"}},{"sessionId":"S1.b","title":"Nested","parentSessionId":"S1.a"}]}"#)
        #expect(toolCalls == "[]")
        #expect(turn == #"{"state":"idle"}"#)
        entry(
            "permission_request",
            #"{"requestId":1,"params":{"sessionId":"S1.a","subject":{"type":"tool_call","toolCall":{"toolCallId":"d"}}}}"#
        )
        #expect(toolCalls == "[]")
    }

    @Test mutating func theCallOfAPermissionRequestIsMerged() {
        update(#""tool_call_update","toolCallId":"c","title":"Edit""#)
        entry(
            "permission_request",
            #"{"requestId":1,"params":{"sessionId":"S1","subject":{"type":"tool_call","toolCall":{"toolCallId":"c","kind":"edit"}}}}"#
        )
        #expect(toolCalls == #"[{"toolCallId":"c","title":"Edit","kind":"edit"}]"#)
    }

    @Test mutating func theModeIsAnOption() {
        update(#""config_option_update","configOptions":[{"configId":"m","category":"mode","currentValue":"plan"}]"#)
        #expect(fold.currentModeId == "plan")
    }
}
