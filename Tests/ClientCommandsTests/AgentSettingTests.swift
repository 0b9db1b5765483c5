import JSONScan
import Testing

@testable import ClientCommands

@Suite struct AgentSettingTests {
    private func settings(_ session: String) throws -> [AgentSetting] {
        AgentSetting.all(of: try JSONValue(validating: Array(session.utf8)))
    }

    private func request(_ setting: AgentSetting, _ text: String) throws -> String {
        let choice = try #require(setting.choice(text))
        let params = JSONWriter.object { setting.write(choice, to: &$0) }
        return "\(setting.method.name) \(String(decoding: params, as: UTF8.self))"
    }

    private static let modes = """
        "modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask"},{"id":"plan","name":"Only plan"}]}
        """

    @Test func aModeIsTheFirstSettingAndIsNamedByItsIdOrName() throws {
        let all = try settings(#"{\#(Self.modes),"configOptions":null}"#)
        let mode = try #require(all.first)
        #expect(all.count == 1 && mode.id == "mode" && mode.value == "ask")
        for name in ["plan", "Only plan", "only PLAN"] {
            #expect(try request(mode, name) == #"session/set_mode {"modeId":"plan"}"#)
        }
        #expect(mode.choice("Plan only") == nil)
        #expect(try settings(#"{\#(Self.modes),"currentModeId":"plan"}"#).first?.value == "plan")
    }

    @Test func aModeThatIsAlsoAnOptionIsListedOnce() throws {
        let option = """
            {"id":"m","name":"Mode","category":"mode","type":"select","currentValue":"a",
             "options":[{"value":"a","name":"A"},{"value":"b","name":"B"}]}
            """
        let all = try settings(#"{\#(Self.modes),"configOptions":[\#(option)]}"#)
        #expect(all.map(\.id) == ["m"])
        #expect(try request(all[0], "b") == #"session/set_config_option {"configId":"m","value":"b"}"#)
    }

    @Test func anOptionWithTheIdModeTakesThePlaceOfTheMode() throws {
        let option = #"{"id":"mode","name":"Style","type":"select","currentValue":"a","options":[{"value":"b"}]}"#
        let all = try settings(#"{\#(Self.modes),"configOptions":[\#(option)]}"#)
        #expect(all.count == 1)
        #expect(try request(all[0], "b") == #"session/set_config_option {"configId":"mode","value":"b"}"#)
    }

    @Test func anIdIsFoundBeforeANameAndEqualNamesAreAllFound() throws {
        func option(_ id: String, _ name: String) -> String {
            #"{"id":"\#(id)","name":"\#(name)","type":"boolean","currentValue":true}"#
        }
        let options = [option("x", "Model"), option("model", "Other"), option("y", "Other")].joined(separator: ",")
        let all = try settings(#"{"configOptions":[\#(options)]}"#)
        #expect(AgentSetting.named("model", in: all).map(\.id) == ["model"])
        #expect(AgentSetting.named("Model", in: all).map(\.id) == ["x"])
        #expect(AgentSetting.named("other", in: all).map(\.id) == ["model", "y"])
    }

    @Test func aChoiceIsListedWithItsNameIfThatDiffers() throws {
        let all = try settings(#"{\#(Self.modes)}"#)
        #expect(all[0].choices.map(\.label) == ["ask", "plan (Only plan)"])
    }

    @Test func anAnswerWithAnotherValueIsRecognized() throws {
        func options(_ isOn: Bool) -> String {
            #"{"configOptions":[{"id":"x","type":"boolean","currentValue":\#(isOn)}]}"#
        }
        let setting = try #require(try settings(options(false)).first)
        let choice = try #require(setting.choice("true"))
        func other(_ answer: String) throws -> String? {
            setting.otherValue(than: choice, in: try JSONValue(validating: Array(answer.utf8)))
        }
        #expect(try other(options(false)) == "false")
        #expect(try other(options(true)) == nil)
        #expect(try other("{}") == nil && other(#"{"configOptions":[]}"#) == nil)
    }

    @Test func aRowHasBooleansAndTheTypeOfItsValues() throws {
        let options =
            #"[{"id":"x","type":"boolean","currentValue":false},{"id":"y","currentValue":"true","options":[]}]"#
        let rows = try settings(#"{"configOptions":\#(options)}"#).map { setting in
            String(decoding: JSONWriter.object { setting.writeRow(to: &$0) }, as: UTF8.self)
        }
        #expect(
            rows == [
                #"{"setting":"x","name":"x","type":"boolean","value":false,"choices":"#
                    + #"[{"value":true,"name":"on"},{"value":false,"name":"off"}]}"#,
                #"{"setting":"y","name":"y","type":"select","value":"true","choices":[]}"#,
            ])
    }

    @Test func aRequestOfVersion2NamesTheTypeOfItsValue() throws {
        let options = """
            [{"configId":"model","name":"Model","type":"select","currentValue":"x",
              "options":[{"group":"g","name":"G","options":[{"value":"x","name":"X"},{"value":"y","name":"Y"}]}]},
             {"configId":"fast","name":"Fast","type":"boolean","currentValue":false}]
            """
        let all = try settings(#"{"configOptions":\#(options)}"#)
        #expect(all.map(\.id) == ["model", "fast"] && all.map(\.value) == ["x", "false"])
        #expect(try request(all[0], "y") == #"session/set_config_option {"configId":"model","type":"id","value":"y"}"#)
        #expect(
            try request(all[1], "on") == #"session/set_config_option {"configId":"fast","type":"boolean","value":true}"#
        )
    }

    @Test(arguments: [
        "{}", #"{"modes":null,"configOptions":null}"#, #"{"modes":{"availableModes":[]},"configOptions":[]}"#,
        #"{"configOptions":[{},{"id":"x"},{"id":"y","type":"boolean","currentValue":"on"},7]}"#,
        #"{"modes":{"availableModes":[{"id":"a"}]}}"#,
    ])
    func whatAnAgentDoesNotSayIsNoSetting(session: String) throws { #expect(try settings(session).isEmpty) }
}
