import AgentProcess
import EventLoop
import JSONScan
import Posix
import Testing

/// Automatic deletion of old sessions, and its reports.
@Suite(.blocking) struct RetentionTests {
    @Test func onlyEndedSessionsAreDeletedAfterTheRetentionTime() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home, ["--no-tcp", "--retain", "2s"])
            let live = try EditorSession([Binary.demoAgent], in: home)
            let ended = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try ended.prompt("go")
            let client = try TinyvexTestClient(home)
            #expect(try client.subscribe(ended.sessionId)["result"] != nil)
            try ended.end()
            let told = try client.next("tinyvex/error")["params"]
            #expect(told?["code"]?.stringValue == "TVX008" && told?["subId"]?.stringValue == "s")
            let rows = try client.call("tinyvex/history.recentSessions")["result"]?.elements
            #expect(rows?.map { $0["live"]?.boolValue } == [true])
            let audit = try #require(FileBytes.read(home.path + "/state/audit.log"))
            #expect(String(decoding: audit, as: UTF8.self).contains(#""event":"forgotten","who":"retention""#))
            try live.end()
        }
    }

    @Test func theOldestSessionsAreDeletedIfTheLogIsTooLarge() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--no-tcp"])
            for _ in 0..<4 {
                let editor = try EditorSession(Self.flood, in: home)
                try editor.prompt("go")
                try editor.end()
                try home.waitUntilEnded()
            }
            #expect(try count(home) == 4)
            let newest = try TinyvexTestClient(home).journals(of: "rude-1").first
            try daemon.killAtOnce()
            // Each session has about 400 KB.
            _ = try Daemon(home, ["--no-tcp", "--retain", "365d,1MB"])
            try eventually("two sessions are left") { try count(home) == 2 }
            #expect(try TinyvexTestClient(home).journals(of: "rude-1").first == newest)
        }
    }

    @Test func aClockAYearAheadDeletesNothingAndIsReported() throws {
        try BridgeHome.with { home in
            let faults = try Faults(home)
            let options: [SystemString] = ["--no-tcp", "--retain", "30d"]
            let first = try faults.daemon(options)
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try editor.prompt("go")
            try editor.end()
            // The trusted time is stored before the session.
            try home.waitUntilEnded()
            try first.killAtOnce()
            try faults.set(clockOffsetSeconds: 365 * 86_400)
            let second = try faults.daemon(options)
            try eventually("the clock error is reported") {
                try home.status()["warnings"]?.elements.first?.stringValue?.contains("ahead") == true
            }
            #expect(try count(home) == 1)
            try second.killAtOnce()
            try faults.set()
            _ = try faults.daemon(options)
            #expect(try home.status()["warnings"] == nil)
            #expect(try count(home) == 1)
        }
    }

    @Test func aReaderIsNotifiedOfUpdatesThatWereTrimmed() throws {
        try BridgeHome.with { home in
            let options: [SystemString] = ["--no-tcp", "--limit", "session-log=256KiB"]
            let first = try Daemon(home, options)
            let editor = try EditorSession(Self.flood, in: home)
            try editor.prompt("go")
            let updates = editor.updates
            try home.waitUntilStored()
            try editor.end()
            try home.waitUntilEnded()
            var client = try TinyvexTestClient(home)
            var history: [(seq: Int64, line: [UInt8])] = []
            try eventually("the session's log is within its limit") {
                history = try client.history(of: "rude-1")
                return history.reduce(0) { $0 + $1.line.count + 1 } <= 256 << 10
            }
            let oldest = try #require(history.first?.seq)
            expectSame(history.map(\.line), Array(updates[Int(oldest - 1)...]))

            // A bridge can have the trimmed updates in memory, and sends them then. A new one has only the log.
            try first.killAtOnce()
            _ = try Daemon(home, options)
            client = try TinyvexTestClient(home)

            #expect(try client.subscribe("rude-1", after: 0)["result"] != nil)
            let skipped = try client.next("tinyvex/skipped")["params"]
            #expect(skipped?.rawString == #"{"subId":"s","fromSeq":1,"toSeq":\#(oldest - 1),"reason":"retention"}"#)
            expectSame(try client.updates(history.count), history.map(\.line))
        }
    }

    @Test(arguments: ["30", "0d", "10GB,20GB", "30d,10GB,1", "", "30d,", "soon"])
    func anInvalidRetentionIsRefused(text: String) throws {
        try BridgeHome.with { home in
            let outcome = try home.run("serve", "--no-tcp", "--retain", SystemString(text))
            #expect(outcome.status == .exited(code: 64))
            #expect(outcome.errorText.contains("--retain"))
        }
    }

    /// 2,000 updates of 200 bytes for a prompt.
    private static let flood: [SystemString] = [
        Binary.rudeAgent, "flood", "--lines", "2000", "--on", "prompt", "--updates", "0", "--late", "0",
    ]

    private func count(_ home: BridgeHome) throws -> Int {
        try TinyvexTestClient(home).call("tinyvex/history.recentSessions")["result"]?.elements.count ?? 0
    }
}
