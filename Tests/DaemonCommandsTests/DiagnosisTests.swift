import JSONScan
import Testing

@testable import DaemonCommands

@Suite struct DiagnosisTests {
    private func healthy() -> MachineFacts {
        var facts = MachineFacts()
        facts.version = "1.0"
        facts.program = "/usr/bin/acpbridge"
        facts.programInPath = "/usr/bin/acpbridge"
        facts.freeBytes = 100 << 30
        facts.logBytes = 1 << 20
        facts.agents = [MachineFacts.Agent(name: "goose", isInstalled: true)]
        facts.bridge = MachineFacts.Bridge(pid: 7, version: "1.0", urls: ["wss://a:1/tinyvex"])
        return facts
    }

    private func bad(_ change: (inout MachineFacts) -> Void) -> [Finding] {
        var facts = healthy()
        change(&facts)
        return Diagnosis(facts).findings.filter { $0.level != .ok }
    }

    @Test func aHealthyMachineHasOnlyOKs() { #expect(bad { _ in }.isEmpty) }

    @Test(arguments: [(true, "all its processes"), (false, "each process")])
    func theScopeOfAgentsLimitsIsShown(isWhole: Bool, text: String) {
        var facts = healthy()
        facts.bridge?.limitsWholeAgents = isWhole
        #expect(Diagnosis(facts).findings.contains { $0.subject == "limits" && $0.text.contains(text) })
        #expect(!Diagnosis(healthy()).findings.contains { $0.subject == "limits" })
    }

    @Test func aPublicAddressIsTheWayForOtherMachines() {
        var facts = healthy()
        facts.bridge?.urls = ["ws://127.0.0.1:7717/tinyvex"]
        #expect(Diagnosis(facts).findings.contains { $0.subject == "remote" && $0.level == .note })
        facts.bridge?.publicURL = "https://bridge.example/base"
        let remote = Diagnosis(facts).findings.filter { $0.subject == "remote" }
        #expect(remote.map(\.level) == [.ok] && remote[0].text.contains("https://bridge.example/base"))
    }

    @Test func aBridgeThatDoesNotAnswerIsAFault() {
        let silent = bad {
            $0.bridge = nil
            $0.bridgeFault = "the bridge at unix:/s did not answer in time"
        }
        #expect(silent.map(\.level) == [.fault] && silent[0].text.contains("did not answer"))
        #expect(bad { $0.bridge = nil }.isEmpty, "a bridge that does not run is none")
    }

    @Test func anotherProgramInThePathIsReported() {
        #expect(bad { $0.programInPath = nil }.map(\.subject) == ["program"])
        let other = bad { $0.programInPath = "/opt/acpbridge" }
        #expect(other.first?.text.contains("/opt/acpbridge") == true)
    }

    @Test func settingsAndFoldersAreFaults() {
        #expect(bad { $0.settingFaults = ["c.json:1: x", "c.json:2: y"] }.map(\.level) == [.fault, .fault])
        #expect(bad { $0.refusedFolders = [("/x", "it belongs to another user (uid 1)")] }.map(\.level) == [.fault])
        #expect(bad { $0.unwritableFolders = [("/x", "Permission denied")] }.map(\.level) == [.fault])
        #expect(bad { $0.hasOwnRuntimeFolder = false }.map(\.level) == [.note])
    }

    @Test(arguments: [10 << 20: .fault, 500 << 20: .warning] as [UInt64: Finding.Level])
    func aFullDiskIsReported(free: UInt64, level: Finding.Level) {
        #expect(bad { $0.freeBytes = free }.map(\.level) == [level])
    }

    @Test func aLargeLogIsReportedUnlessItIsLimited() {
        #expect(bad { $0.logBytes = 20 << 30 }.map(\.subject) == ["log"])
        #expect(
            bad {
                $0.logBytes = 20 << 30
                $0.retainsAll = false
            }.isEmpty)
    }

    @Test func aLogThatThisProgramCannotOpenIsAFault() {
        let later = bad { $0.logFault = .laterVersion(found: 12, supported: 11) }
        #expect(later.map(\.level) == [.fault])
        #expect(later.first?.text.contains("12") == true)
        #expect(bad { $0.logFault = .noDatabase }.map(\.level) == [.fault])
        let aside = bad { $0.damagedLog = "/s/sessions.db.damaged" }
        #expect(aside.map(\.level) == [.warning])
        #expect(aside.first?.text.contains("/s/sessions.db.damaged") == true)
    }

    @Test func aHubThatCannotBeUsedIsAWarning() {
        let failed = bad { $0.bridge?.hubs = [.init(text: "ships to db: failed: refused", isFailed: true)] }
        #expect(failed.map(\.level) == [.warning])
        #expect(failed.first?.text == "ships to db: failed: refused")
        let current = bad { $0.bridge?.hubs = [.init(text: "ships to db: current", isFailed: false)] }
        #expect(current.isEmpty)
    }

    @Test func withoutAnAgentTheFixNamesTheInstructions() {
        let findings = bad { $0.agents = [MachineFacts.Agent(name: "goose", isInstalled: false)] }
        #expect(findings.map(\.subject) == ["agents"])
        #expect(findings.first?.fix?.contains("for goose") == true)
        #expect(bad { $0.agents = [MachineFacts.Agent(name: "a", isInstalled: true, launcher: "npx")] }.isEmpty)
    }

    @Test func absentAgentsAreNamedWithTheWayToInstallThem() {
        let goose = MachineFacts.Agent(name: "goose", isInstalled: true)
        let absent = bad { $0.agents = [MachineFacts.Agent(name: "claude", isInstalled: false), goose] }
        #expect(absent.map(\.level) == [.note])
        #expect(absent.first?.text == "not installed: claude")
        let own = bad {
            $0.agents = [
                goose, MachineFacts.Agent(name: "mine", isInstalled: false, program: "my-agent", file: "/a/mine.json"),
            ]
        }
        #expect(own.map(\.text) == ["mine: its program 'my-agent' was not found"])
        #expect(own.first?.fix?.contains("/a/mine.json") == true)
    }

    @Test(
        arguments: ["goose": nil, "demo": nil, "claude": "not installed", "gose": "no known agent"] as [String: String?]
    )
    func aDefaultAgentThatCannotBeStartedIsReported(name: String, fault: String?) {
        let findings = bad {
            $0.agents = [
                MachineFacts.Agent(name: "goose", isInstalled: true),
                MachineFacts.Agent(name: "claude", isInstalled: false),
            ]
            $0.defaultAgent = name
        }
        let own = findings.filter { $0.level == .warning }
        #expect(own.map(\.text) == (fault.map { ["ACPBRIDGE_AGENT is '\(name)', which is \($0)"] } ?? []))
    }

    @Test func aBridgeOfAnotherVersionNamesTheUpgrade() {
        #expect(bad { $0.bridge?.version = "0.9" }.map(\.fix) == ["acpbridge serve --replace"])
        #expect(bad { $0.bridge = nil }.isEmpty)
        #expect(bad { $0.bridge?.logError = "disk full" }.map(\.level) == [.fault])
    }

    @Test func aBridgeOfAnotherUnitEndsWithIt() {
        let editor = "/user.slice/user-1.slice/user@1.service/app.slice/app-zed-1.scope"
        let other = bad { $0.bridge?.group = editor }
        #expect(other.first?.text.contains("app-zed-1.scope") == true)
        let own = "/user.slice/user-1.slice/user@1.service/app.slice/acpbridge.service"
        let ending = bad { $0.bridge?.group = own }
        #expect(ending.map(\.fix) == ["loginctl enable-linger"])
        let lingering = bad { facts in
            facts.bridge?.group = own
            facts.bridge?.lingers = true
        }
        #expect(lingering.isEmpty)
        let root = bad { $0.bridge?.group = "/" }
        #expect(root.isEmpty)
    }

    @Test(arguments: [-1: Finding.Level.fault, 5: .warning, 30: .ok] as [Int64: Finding.Level])
    func theEndOfTheCertificateIsReported(days: Int64, level: Finding.Level) {
        var facts = healthy()
        facts.now = 1_000 * 86_400_000
        facts.certificateEnd = facts.now + days * 86_400_000
        #expect(Diagnosis(facts).findings.first { $0.subject == "certificate" }?.level == level)
    }

    @Test func aFindingIsOneJSONObject() throws {
        let json = try JSONValue(validating: Finding(.fault, "disk", "a \"b\"", fix: "c").json)
        #expect(json["level"]?.stringValue == "fault")
        #expect(json["text"]?.stringValue == "a \"b\"")
    }
}
