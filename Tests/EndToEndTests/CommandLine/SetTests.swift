import AgentProcess
import JSONScan
import Testing

/// `acpbridge set`.
@Suite(.blocking) struct SetTests {
    private func values(_ home: BridgeHome) throws -> [String: String] {
        let records = try wholeLines(of: home.run("set", "latest", "--json").output).map(JSONValue.init(validating:))
        return Dictionary(
            uniqueKeysWithValues: records.compactMap { record in
                guard let name = record["setting"]?.stringValue else { return nil }
                return (name, record["value"]?.stringValue ?? "")
            })
    }

    @Test(arguments: ["--v1", "--v2"])
    func settingsAreListedAndChanged(version: SystemString) throws {
        try BridgeHome.with { home in
            try home.addAgent("agent", [Binary.demoAgent, version])
            #expect(try home.run("run", "--agent", "agent", "--detach").status == .exited(code: 0))
            var wanted = try values(home)
            #expect(wanted["mode"] == "ask" && wanted["pace"] != nil)
            #expect(try home.run("set", "latest", "mode", "code").status == .exited(code: 0))
            #expect(try home.run("set", "latest", "Pace", "instant").status == .exited(code: 0))
            (wanted["mode"], wanted["pace"]) = ("code", "0")
            try eventually("the agent has reported the values") { try values(home) == wanted }
            let choices = try home.run("set", "latest", "mode").outputText
            #expect(choices.contains("*  code") && choices.contains("Edits without asking"))
        }
    }

    @Test func whatCannotBeSetIsReportedWithWhatCanBe() throws {
        try BridgeHome.with { home in
            _ = try home.run("run", "--agent", "demo", "--detach")
            let setting = try home.run("set", "latest", "colour", "red")
            #expect(setting.status == .exited(code: 64))
            #expect(setting.errorText.contains("it has: mode, pace"))
            let value = try home.run("set", "latest", "mode", "fly")
            #expect(value.status == .exited(code: 64))
            #expect(value.errorText.contains("choose one of: ask, code, yolo"))
            #expect(try home.run("set", "nothing").status == .exited(code: 3))
        }
    }
}
