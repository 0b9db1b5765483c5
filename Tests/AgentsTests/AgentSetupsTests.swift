import ACPRouting
import JSONScan
import Testing

@testable import Agents

@Suite struct AgentSetupsTests {
    private func change(_ update: String) throws -> AgentSetups.Change? {
        let line = Array(#"{"method":"session/update","params":{"sessionId":"s","update":\#(update)}}"#.utf8)
        return AgentSetups.change(by: line.span, try scanEnvelope(line.span))
    }

    @Test func updatesThatALaterClientNeedsAreRecognised() throws {
        #expect(try change(#"{"sessionUpdate":"session_info_update","title":"T"}"#) == .title("T"))
        #expect(try change(#"{"sessionUpdate":"session_info_update","title":null}"#) == .title(""))
        let usage = #"{"sessionUpdate":"usage_update","used":1,"size":2}"#
        #expect(try change(usage) == .usage(UsageUpdate(try JSONValue(validating: Array(usage.utf8)))))
        #expect(try change(#"{"sessionUpdate":"session_info_update"}"#) == nil)
        #expect(try change(#"{"sessionUpdate":"current_mode_update","currentModeId":"ask"}"#) == .mode("ask"))
        #expect(
            try change(#"{"sessionUpdate":"config_option_update","configOptions":[1]}"#)
                == .options(Array("[1]".utf8)))
        #expect(try change(#"{"sessionUpdate":"agent_message_chunk","content":{}}"#) == nil)
        #expect(try change("{}") == nil)
    }

    @Test func theSetupsOfAnAgentAreLimitedTogether() throws {
        var setups = AgentSetups()
        let text = [UInt8](repeating: 0x20, count: SessionSetup.limitBytes)
        for number in 0..<100 {
            setups.set(commands: text, in: "unknown\(number)")
            setups.setUp("opened\(number)", Array("{}".utf8))
            setups.set(options: text, in: "opened\(number)")
        }
        #expect(setups.bySession.values.reduce(0) { $0 + $1.byteCount } <= AgentSetups.limitBytes)
        #expect(setups.bySession["opened99"]?.options == nil)
        setups.set(options: Array("[1]".utf8), in: "opened0")
        #expect(setups.bySession["opened0"]?.options == Array("[1]".utf8), "a shorter text fits")
        setups.set(commands: text, in: "opened0")
        setups.set(commands: text + text, in: "opened0")
        #expect(setups.bySession["opened0"]?.commands == nil)
        for number in 0..<100 { setups.remove("unknown\(number)") }
        setups.set(options: text, in: "opened99")
        #expect(setups.bySession["opened99"]?.options == text, "there is room again")
        setups.setUp("large", [UInt8](repeating: 0x20, count: 40 << 20))
        #expect(setups.bySession["large"]?.result == Array("{}".utf8))
    }

    @Test func aLaterClientReceivesTheLatestModeAndOptions() throws {
        var setups = AgentSetups()
        setups.setUp("s", Array(#"{"sessionId":"s","modes":{"currentModeId":"ask"},"configOptions":[]}"#.utf8))
        setups.select(mode: "code", in: "s")
        setups.set(options: Array("[1]".utf8), in: "s")
        setups.select(mode: "code", in: "unknown")
        let current = try #require(setups.bySession["s"]?.current(version: 1))
        #expect(
            String(decoding: current, as: UTF8.self) == #"{"modes":{"currentModeId":"code"},"configOptions":[1]}"#)
        setups.remove("s")
        #expect(setups.bySession.isEmpty)
    }

    /// An earlier fault: the answer of a take-over had only the members of the agent's own answer.
    @Test(arguments: [1, 2]) func aLaterClientReceivesReportsThatTheAnswerLacks(version: Int) throws {
        var setups = AgentSetups()
        // The agent can write updates before its answer.
        setups.set(commands: Array(#"["a"]"#.utf8), in: "s")
        setups.setUp("s", Array(#"{"sessionId":"s"}"#.utf8))
        setups.set(options: Array("[1]".utf8), in: "s")
        let current = try #require(setups.bySession["s"]?.current(version: version))
        let commands = version == 1 ? "" : #","availableCommands":["a"]"#
        #expect(String(decoding: current, as: UTF8.self) == #"{"configOptions":[1]\#(commands)}"#)
    }

    @Test func theAnswerCountsMoreThanEarlierReports() throws {
        var setups = AgentSetups()
        setups.set(commands: Array(#"["a"]"#.utf8), in: "s")
        setups.set(options: Array("[1]".utf8), in: "s")
        setups.setUp("s", Array(#"{"configOptions":[2],"availableCommands":["b"]}"#.utf8))
        let current = try #require(setups.bySession["s"]?.current(version: 2))
        #expect(String(decoding: current, as: UTF8.self) == #"{"configOptions":[2],"availableCommands":["b"]}"#)
    }

    /// A state without a list of background work does not say that there is none.
    @Test func aLaterClientReceivesTheLatestBackgroundWork() throws {
        var setups = AgentSetups()
        func state(_ rest: String) -> [UInt8] { Array(#"{"state":"idle"\#(rest)}"#.utf8) }
        setups.set(state: state(#","background":[1]"#), in: "s")
        setups.set(state: state(#","stopReason":"end_turn""#), in: "s")
        setups.setUp("s", Array("{}".utf8))
        #expect(setups.bySession["s"]?.state == state(#","stopReason":"end_turn","background":[1]"#))
        setups.set(state: state(#","background":[]"#), in: "s")
        #expect(setups.bySession["s"]?.state == state(#","background":[]"#))
    }

    @Test func anOversizedAnswerToInitializeIsNotKept() {
        var setups = AgentSetups()
        setups.initialized(Array("{}".utf8))
        #expect(setups.initializeResult == Array("{}".utf8))
        setups.initialized(Array(repeating: 0x20, count: 1 << 20 + 1))
        #expect(setups.initializeResult == nil)
    }
}
