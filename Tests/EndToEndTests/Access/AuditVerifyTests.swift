import AgentProcess
import Glibc
import JSONScan
import Posix
import Testing

/// `acpbridge audit verify` with the log of a real bridge.
@Suite(.blocking) struct AuditVerifyTests {
    private static func verify(_ home: BridgeHome, _ options: SystemString...) throws -> Outcome {
        try EditorProcess([Binary.acpbridge, "audit", "verify"] + options, in: home).outcome()
    }

    /// Runs a bridge until its audit log has some lines.
    private static func fill(_ home: BridgeHome) throws -> String {
        _ = try Daemon(home)
        let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
        for _ in 0..<3 { try editor.prompt("go") }
        try editor.end()
        #expect(try home.run("stop").status == .exited(code: 0))
        return home.path + "/state/audit.log"
    }

    @Test func aCompleteLogIsConfirmedAndItsHeadIsAnAnchor() throws {
        try BridgeHome.with { home in
            _ = try Self.fill(home)
            let outcome = try Self.verify(home, "--json")
            #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
            let report = try JSONValue(validating: outcome.output)
            #expect(report["ok"]?.boolValue == true && report["first"]?.int64Value == 1)
            let last = try #require(report["last"]?.int64Value)
            let head = try #require(report["head"]?.stringValue)
            #expect(try Self.verify(home, "--anchor", SystemString("\(last):\(head)")).status == .exited(code: 0))
            // A second bridge continues the chain.
            _ = try Daemon(home)
            #expect(try home.run("stop").status == .exited(code: 0))
            let later = try Self.verify(home, "--anchor", SystemString("\(last):\(head)"))
            #expect(later.status == .exited(code: 0), "\(later.errorText)")
            let missing = try Self.verify(home, "--anchor", SystemString("\(last + 1_000):\(head)"))
            #expect(missing.status == .exited(code: 1) && missing.errorText.contains("missing at the end"))
        }
    }

    @Test func theFirstBadLineIsNamed() throws {
        try BridgeHome.with { home in
            let path = try Self.fill(home)
            let bytes = try #require(FileBytes.read(path))
            var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
            lines.remove(at: 2)
            try FileBytes.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: path)
            let outcome = try Self.verify(home)
            #expect(outcome.status == .exited(code: 1) && outcome.errorText.contains("audit.log:3: "))
            let report = try JSONValue(validating: try Self.verify(home, "--json").output)
            #expect(report["ok"]?.boolValue == false && report["line"]?.int64Value == 3)
        }
    }

    @Test func aMissingFileAndAWrongAnchorAreErrors() throws {
        try BridgeHome.with { home in
            let outcome = try Self.verify(home, SystemString(home.path + "/none"))
            #expect(outcome.status == .exited(code: 1) && outcome.errorText.contains(home.path + "/none"))
            #expect(try Self.verify(home, "--anchor", "1:abc").status == .exited(code: 64))
            #expect(try home.run("audit").status == .exited(code: 64))
        }
    }
}
