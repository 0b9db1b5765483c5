import AgentProcess
import Glibc
import TestSupport
import Testing

/// A bridge that is killed in a flood leaves lines outside of the tables, which no sync has covered yet. The next bridge
/// reads them when it starts.
@Suite(.blocking) struct FloodKillTests {
    /// The tables take the first 4 MiB.
    private static let outputBytes = 12 << 20
    private static let updateCount = 2_000_000

    @Test func aBridgeThatIsKilledInAFloodStartsAgainWithAGaplessLog() throws {
        try BridgeHome.with { home in
            let agent = rude("flood", "--on", "prompt", "--lines", SystemString("\(Self.updateCount)"), "--early", "1")
            let editor = try EditorProcess([Binary.acpbridge, "--linger", "0s", "--"] + agent, in: home)
            editor.post(Array((editor.newSession(id: "1") + "\n").utf8))
            try editor.readOutput(untilBytes: 1)
            let bridge = try #require(home.daemon)
            editor.post(Array((editor.prompt(id: "2") + "\n").utf8))
            try editor.readOutput(untilBytes: Self.outputBytes)
            Glibc.kill(bridge, SIGKILL)
            editor.closeInput()
            let sent = wholeLines(of: try editor.outcome().output).filter(EditorSession.isUpdate)
            // This command starts a bridge.
            let listing = try home.run("sessions")
            #expect(listing.status == .exited(code: 0), "`sessions` printed \(listing.errorText)")
            let stored = try home.stored("rude-1")
            let common = min(stored.count, sent.count)
            #expect(stored.reduce(0) { $0 + $1.count } > Self.outputBytes / 2)
            #expect(stored.count < Self.updateCount, "the flood was not over")
            #expect(stored.prefix(common) == sent.prefix(common))
        }
    }
}
