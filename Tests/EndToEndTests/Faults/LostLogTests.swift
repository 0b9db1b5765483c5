import AgentProcess
import Glibc
import JSONScan
import Testing

/// The log is deleted, moved or replaced under a running bridge.
@Suite(.blocking) struct LostLogTests {
    enum Loss: String, CaseIterable {
        case deleted = "rm sessions.db"
        /// The bridge can restore the log and remove `sessions.db-shm` before `rm` reaches that file.
        case allDeleted = "rm -f sessions.db*"
        /// The bridge restores the log while files are still being deleted, also some that it has just created.
        case allDeletedSlowly = "for file in sessions.db*; do rm -f $file; sleep 0.001; done"
        case moved = "mv sessions.db /tmp/$$ && rm /tmp/$$"
        case renamed = "mv sessions.db other.db"
        case replaced = "cp sessions.db x && mv x sessions.db"
        /// `rm` can fail because the bridge uses the folder again before `rm` has finished.
        case folderDeleted = "cd .. && rm -rf state; true"
        case folderMoved = "cd .. && mv state state-2"
    }

    @Test(arguments: Loss.allCases)
    func aLostLogIsRestoredWithEverySentUpdate(loss: Loss) throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home)
            let editor = try EditorSession(BridgeHome.flood(500), in: home)
            let client = try TinyvexTestClient(home)
            _ = try client.subscribe("rude-1", after: 0)
            try editor.prompt("go")
            expectSame(try client.updates(500), editor.updates)
            let shell = try EditorProcess(
                ["sh", "-c", SystemString("cd '\(home.path)/state' && \(loss.rawValue)")], in: home
            ).outcome()
            #expect(shell.status == .exited(code: 0), "\(shell.errorText)")
            // No client uses the log, so the bridge must detect the loss itself.
            try eventually("the log is restored and the loss is reported") {
                try home.status()["warnings"]?.elements.first?.stringValue?.contains("restored") == true
            }
            try editor.prompt("go")
            expectSame(try client.updates(500), editor.updates.suffix(500))
            // The restored log's content survives the end of the bridge.
            try daemon.killAtOnce()
            expectSame(try home.stored("rude-1"), editor.updates)
        }
    }

    @Test func aSecondBridgeOnTheSameLogIsRefused() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            unlink(home.path + "/state/sessions.db.lock")
            mkdir(home.path + "/second", 0o700)
            symlink(home.path + "/state", home.path + "/second/state")
            let outcome = try home.run(
                "serve", "--no-tcp", environment: [SystemString("ACPBRIDGE_HOME=\(home.path)/second")])
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("sessions.db"), "\(outcome.errorText)")
        }
    }
}
