import Glibc
import JSONScan
import Testing

/// `acpbridge doctor` on a real machine.
@Suite(.blocking) struct DoctorTests {
    private func findings(_ home: BridgeHome) throws -> (status: Bool, rows: [JSONValue]) {
        let outcome = try home.run("doctor", "--json")
        return (
            outcome.status == .exited(code: 0),
            try wholeLines(of: outcome.output).map(JSONValue.init(validating:))
        )
    }

    @Test func aFreshHomeHasNoFaultAndStaysUntouched() throws {
        try BridgeHome.with { home in
            let (succeeds, rows) = try findings(home)
            #expect(succeeds)
            #expect(!rows.isEmpty)
            #expect(home.daemon == nil)
            #expect(access(home.path + "/run", F_OK) != 0)
        }
    }

    @Test func aRunningBridgeIsReported() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home)
            let (_, rows) = try findings(home)
            let bridge = rows.first { $0["subject"]?.stringValue == "bridge" }
            #expect(bridge?["text"]?.stringValue?.contains("process \(daemon.process.pid)") == true)
        }
    }

    @Test func anErrorInTheSettingsIsAFault() throws {
        try BridgeHome.with { home in
            mkdir(home.path + "/config", 0o700)
            try FileBytes.write(Array("{".utf8), to: home.path + "/config/config.json")
            let (succeeds, rows) = try findings(home)
            #expect(!succeeds)
            #expect(rows.contains { $0["level"]?.stringValue == "fault" && $0["subject"]?.stringValue == "settings" })
        }
    }
}
