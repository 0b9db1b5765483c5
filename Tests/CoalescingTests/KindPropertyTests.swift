import Coalescing
import JSONScan
import TestSupport
import Testing
import Tinyvex

/// Random logs of all kinds of update that ACP version 2 has, for the properties that each policy promises.
@Suite struct KindPropertyTests {
    /// Updates that no policy leaves out or merges, with `ID` for the id of an entity.
    private static let others = [
        #"{"sessionUpdate":"user_message","messageId":"ID","content":[]}"#,
        #"{"sessionUpdate":"agent_message","messageId":"ID","content":null}"#,
        #"{"sessionUpdate":"agent_thought","messageId":"ID"}"#,
        #"{"sessionUpdate":"state_update","state":"running"}"#,
        #"{"state":"idle","stopReason":"end_turn","background":[],"sessionUpdate":"state_update"}"#,
        #"{"sessionUpdate":"tool_call_update","toolCallId":"ID","title":null}"#,
        #"{"sessionUpdate":"terminal_update","terminalId":"ID","output":{"data":"YQ=="}}"#,
        #"{"sessionUpdate":"plan_update","plan":{"type":"items","planId":"ID","entries":[]}}"#,
        #"{"sessionUpdate":"plan_removed","planId":"ID"}"#,
        #"{"sessionUpdate":"available_commands_update","availableCommands":[]}"#,
        #"{"sessionUpdate":"config_option_update","configOptions":[]}"#,
        #"{"sessionUpdate":"session_info_update","title":null}"#,
        #"{"sessionUpdate":"usage_update","used":1,"size":2}"#,
        #"{"sessionUpdate":"notice","severity":"info","title":"ID"}"#,
        #"{"sessionUpdate":"compaction_update","compactionId":"ID","status":"in_progress"}"#,
        #"{"sessionUpdate":"subagent_update","sessionId":"ID"}"#,
        #"{"sessionUpdate":"session_message","messageId":"ID","content":[]}"#,
        #"{"sessionUpdate":"session_message_chunk","messageId":"ID","content":{"type":"text","text":"x"}}"#,
        #"{"sessionUpdate":"replay_complete"}"#,
        #"{"sessionUpdate":"_x_chunk","messageId":"ID","content":{"type":"text","text":"x"}}"#,
    ]

    private static func randomLine(using random: inout SeededGenerator) -> [UInt8] {
        let session = Int.random(in: 0..<10, using: &random) == 0 ? "s1.a" : "s1"
        let id = Int.random(in: 0..<4, using: &random) == 0 ? "2" : "1"
        let text = "t\(Int.random(in: 0..<100, using: &random))"
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2: return Updates.message(text, "\"\(id)\"", session: session)
        case 3: return Updates.chunk("agent_thought_chunk", text, messageId: "\"\(id)\"", session: session)
        case 4: return Updates.chunk("user_message_chunk", text, session: session)
        case 5...6: return Updates.output(["YQ==", "YWI=", "w6k=", "qQ=="].randomElement(using: &random) ?? "", of: id)
        case 7: return Updates.item(text, of: id)
        case 8: return Updates.summary(text, of: id)
        default:
            let other = others.randomElement(using: &random) ?? ""
            return Updates.line(
                other.split(separator: "ID", omittingEmptySubsequences: false).joined(separator: id), session)
        }
    }

    private func runs(_ log: [[UInt8]], _ purpose: RunScan.Purpose) -> [UpdateRun] {
        var scan = RunScan(purpose, first: 1)
        for line in log { scan.add(line.span) }
        return scan.runs
    }

    /// The session, the kind and the id of an update, read by the JSON reader and not by the scan.
    private func key(_ line: [UInt8]) throws -> (name: String, kind: String) {
        let params = try #require(JSONValue(validating: line)["params"])
        let update = try #require(params["update"])
        let kind = update["sessionUpdate"]?.stringValue ?? ""
        let id = update["messageId"] ?? update["terminalId"] ?? update["toolCallId"] ?? update["compactionId"]
        return ("\(params["sessionId"]?.stringValue ?? "") \(kind) \(id?.rawString ?? "-")", kind)
    }

    private static let chunkKinds = Set(ChunkKind.allCases.map { "\($0.name)" })

    @Test(arguments: [RunScan.Purpose.leavingOut, .merging])
    func aRunHasOneSessionKindAndEntityAndNothingElse(purpose: RunScan.Purpose) throws {
        var random = SeededGenerator(seed: 23)
        var keyedCount = 0
        for _ in 0..<30 {
            let log = (0..<120).map { _ in Self.randomLine(using: &random) }
            var next: Int64 = 1
            for run in runs(log, purpose) {
                #expect(run.first == next)
                next = run.last + 1
                let keys = try log[Int(run.first) - 1..<Int(run.last)].map(key)
                if run.key != nil {
                    keyedCount += keys.count > 1 ? 1 : 0
                    #expect(Set(keys.map(\.name)).count == 1)
                    #expect(keys.allSatisfy { Self.chunkKinds.contains($0.kind) })
                    #expect(purpose == .leavingOut || keys[0].kind != "tool_call_content_chunk")
                } else {
                    #expect(
                        keys.allSatisfy {
                            !Self.chunkKinds.contains($0.kind)
                                || (purpose == .merging && $0.kind == "tool_call_content_chunk")
                        })
                }
            }
            #expect(next == Int64(log.count) + 1)
        }
        #expect(keyedCount > 0, "the tested case must occur")
    }
}
