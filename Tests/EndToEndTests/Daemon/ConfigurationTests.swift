import AgentProcess
import Glibc
import JSONScan
import Posix
import Testing

/// The configuration file and the variables of a bridge.
@Suite(.blocking) struct ConfigurationTests {
    private func configure(_ home: BridgeHome, _ text: String) throws {
        mkdir(home.path + "/config", 0o700)
        try FileBytes.write(Array(text.utf8), to: home.path + "/config/config.json")
    }

    @Test func aBridgeThatStartsOnDemandUsesTheFile() throws {
        try BridgeHome.with { home in
            try configure(home, #"{ "no-tcp": true, "durability": "full" /* a comment */, }"#)
            #expect(try home.run("sessions").status == .exited(code: 0))
            let status = try home.status()
            #expect(status["durability"]?.stringValue == "full")
            #expect(status["urls"]?.elements.isEmpty == true)
        }
    }

    @Test func theStandardErrorOfABridgeThatStartsOnDemandIsLimited() throws {
        try BridgeHome.with { home in
            try configure(home, #"{"no-tcp": true, "log-level": "debug", "limit": {"bridge-log": "1KiB"}}"#)
            try eventually("the full file was renamed") {
                _ = try home.run("sessions")
                return FileBytes.read(home.daemonOutput + ".1") != nil
            }
            let sizes = [home.daemonOutput, home.daemonOutput + ".1"].map { FileBytes.read($0)?.count ?? 0 }
            #expect(sizes.allSatisfy { $0 <= 1 << 10 }, "\(sizes)")
            #expect(FileBytes.read(home.daemonOutput)?.isEmpty == false)
        }
    }

    @Test func aBridgeThatStartsOnDemandReportsTheErrorOfTheFile() throws {
        try BridgeHome.with { home in
            try configure(home, "{\n\"lisen\": []}")
            let outcome = try home.run("sessions")
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("config.json:2: unknown key 'lisen'; did you mean 'listen'?"))
        }
    }

    @Test(arguments: ["json", "text"]) func aReloadOfAWrongFileIsReportedInTheFormOfTheLog(format: String) throws {
        try BridgeHome.with { home in
            try configure(home, #"{"no-tcp": true, "log-format": "\#(format)"}"#)
            let daemon = try Daemon(home, [])
            let before = try home.status()["startedTs"]?.int64Value
            try configure(home, "{\n\"lisen\": []}")
            daemon.process.kill(SIGHUP)
            let words = "the bridge was not replaced: \(home.path)/config/config.json:2: unknown key"
            try daemon.process.waitForError(words)
            #expect(try home.status()["startedTs"]?.int64Value == before)
            let lines = wholeLines(of: Array(daemon.process.errorText.utf8))
            #expect(lines.count == 1)
            if format == "json" {
                let event = try JSONValue(validating: try #require(lines.first))
                #expect(event["level"]?.stringValue == "warning")
            }
        }
    }

    @Test func anOptionOverridesItsVariableAndThatTheFile() throws {
        try BridgeHome.with { home in
            try configure(home, #"{"durability": "full", "listen": ":0"}"#)
            do {
                let daemon = try Daemon(home, [], environment: ["ACPBRIDGE_DURABILITY=normal"])
                #expect(daemon.address != nil)
                #expect(try home.status()["durability"]?.stringValue == "normal")
                #expect(try home.run("stop").status == .exited(code: 0))
            }
            let daemon = try Daemon(
                home, ["--no-tcp", "--durability", "full"], environment: ["ACPBRIDGE_DURABILITY=normal"])
            #expect(daemon.address == nil)
            #expect(try home.status()["durability"]?.stringValue == "full")
        }
    }

    @Test func aFileWithAnErrorChangesNothing() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home)
            let before = try home.status()
            for text in ["{", #"{"durability": "ful"}"#, #"{"limit": {"line": "much"}}"#] {
                try configure(home, text)
                let outcome = try home.run("serve", "--replace", "--durability", "normal")
                #expect(outcome.status != .exited(code: 0), "\(text)")
                #expect(try home.status()["startedTs"]?.int64Value == before["startedTs"]?.int64Value)
            }
            try configure(home, #"{"durability": "full"}"#)
            #expect(try home.run("serve", "--replace").status == .exited(code: 0))
            let after = try home.status()
            #expect(after["durability"]?.stringValue == "full")
            #expect(after["pid"]?.int64Value == Int64(daemon.process.pid))
            #expect(after["urls"]?.elements.isEmpty == true)
        }
    }

    @Test func invalidSettingsEndServeWith78() throws {
        try BridgeHome.with { home in
            let variable = try home.run("serve", "--no-tcp", environment: ["ACPBRIDGE_LOG_LEVEL=loud"])
            #expect(variable.status == .exited(code: 78))
            #expect(variable.errorText.hasPrefix("Error: ACPBRIDGE_LOG_LEVEL: invalid value 'loud'"))
            let missing = try home.run("serve", "--no-tcp", "--config", "/nowhere.json")
            #expect(missing.status == .exited(code: 78))
            #expect(missing.errorText == "Error: /nowhere.json: the file does not exist\n")
            let relative = try home.run("serve", "--no-tcp", environment: ["ACPBRIDGE_CONFIG=c.json"])
            #expect(relative.errorText.contains("must be absolute"))
        }
    }

    @Test func aFileThatOthersCanWriteIsRefused() throws {
        try BridgeHome.with { home in
            try configure(home, "{}")
            chmod(home.path + "/config/config.json", 0o666)
            let outcome = try home.run("config", "check")
            #expect(outcome.status == .exited(code: 78))
            #expect(outcome.errorText.contains("other users can write to it"))
        }
    }

    @Test func configCheckReportsEveryError() throws {
        try BridgeHome.with { home in
            #expect(try home.run("config", "check").status == .exited(code: 0))
            try configure(home, "{\n\"a\": 1,\n\"b\": 2}")
            let outcome = try home.run("config", "check", "--json")
            #expect(outcome.status == .exited(code: 78))
            let faults = try wholeLines(of: outcome.output).map(JSONValue.init(validating:))
            #expect(faults.map { $0["line"]?.int64Value } == [2, 3])
            try FileBytes.write(Array("{}".utf8), to: home.path + "/other.json")
            #expect(try home.run("config", "check", SystemString(home.path + "/other.json")).status == .exited(code: 0))
            #expect(home.daemon == nil)
        }
    }

    @Test func configShowNamesTheOriginOfEachValue() throws {
        try BridgeHome.with { home in
            try configure(home, "{\n\"retain\": \"30d\"}")
            let outcome = try home.run("config", "show", "--json", environment: ["ACPBRIDGE_LOG_LEVEL=info"])
            let rows = try wholeLines(of: outcome.output).map(JSONValue.init(validating:))
            func row(_ name: String) -> JSONValue? { rows.first { $0["name"]?.stringValue == name } }
            #expect(row("retain")?["line"]?.int64Value == 2)
            #expect(row("retain")?["values"]?.elements.first?.stringValue == "30d")
            #expect(row("log-level")?["variable"]?.stringValue == "ACPBRIDGE_LOG_LEVEL")
            #expect(row("listen")?["from"]?.stringValue == "default")
            #expect(try home.run("config", "show").outputText.contains("config.json:2"))
        }
    }
}
