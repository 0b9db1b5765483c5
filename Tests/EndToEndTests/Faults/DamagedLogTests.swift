import AgentProcess
import Glibc
import JSONScan
import Testing

/// A log file that was partly overwritten or truncated.
@Suite(.blocking) struct DamagedLogTests {
    /// Stores six similar sessions, ends the bridge, and returns the number of updates in each session.
    private func fill(_ home: BridgeHome) throws -> Int {
        let daemon = try Daemon(home)
        for number in 1...6 {
            let agent = BridgeHome.flood(300, size: 2000) + ["--sessions", "1"]
            let link = home.path + "/agent-\(number)"
            symlink(agent[0].description, link)
            let editor = try EditorSession([SystemString(link)] + agent.dropFirst(), in: home)
            try editor.prompt("go")
            try editor.end()
        }
        daemon.process.kill(SIGTERM)
        _ = try daemon.process.exitStatus()
        return 300
    }

    private func log(_ home: BridgeHome) -> String { home.path + "/state/sessions.db" }

    private func overwrite(_ path: String, from start: Int, _ count: Int) throws {
        let fd = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(fd) }
        let noise = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) }
        #expect(pwrite(fd, noise, count, off_t(start)) == count)
    }

    private func expectService(_ home: BridgeHome, _ daemon: Daemon) throws {
        let editor = try EditorSession(BridgeHome.flood(10), in: home)
        try editor.prompt("go")
        expectSame(try home.stored("rude-agent:rude-1"), editor.updates)
        try editor.end()
    }

    @Test(arguments: [0, 100]) func aLogThatDoesNotOpenIsMovedAsideAndTheBridgeServes(offset: Int) throws {
        try BridgeHome.with { home in
            _ = try fill(home)
            try overwrite(log(home), from: offset, 3000)
            let damaged = try #require(FileBytes.read(log(home)))
            let daemon = try Daemon(home)
            try daemon.process.waitForError("The session log was damaged. It was moved to \(log(home)).damaged")
            expectSame(try #require(FileBytes.read(log(home) + ".damaged")), damaged, "the damaged file")
            #expect(try home.status()["damagedLog"]?.stringValue == log(home) + ".damaged")
            #expect(try home.run("status").outputText.contains("damaged log"))
            try expectService(home, daemon)
            let next = try Daemon.restart(daemon, home)
            #expect(try home.status()["damagedLog"] == nil, "the new log is undamaged")
            try expectService(home, next)
        }
    }

    @Test func readableSessionsOfATruncatedLogAreKept() throws {
        try BridgeHome.with { home in
            let count = try fill(home)
            var status = stat()
            #expect(stat(log(home), &status) == 0)
            #expect(truncate(log(home), status.st_size / 2) == 0)
            let daemon = try Daemon(home)
            try daemon.process.waitForError("sessions that could be read from it")
            #expect(try home.stored("agent-1:rude-1").count == count, "the first session is in the first half")
            let rows = try home.run("sessions", "--all", "--json").outputText.split(separator: "\n")
            #expect(rows.count > 1)
            for row in rows {
                let agent = try JSONValue(validating: Array(row.utf8))["agent"]?.stringValue ?? ""
                let lines = try home.stored("\(agent):rude-1")
                for (index, line) in lines.enumerated() {
                    let end = Array(#","_meta":{"n":\#(index + 1)}}}"#.utf8)
                    #expect(line.suffix(end.count).elementsEqual(end), "\(agent), update \(index + 1)")
                }
            }
            try expectService(home, daemon)
        }
    }

    // MARK: Inside a file that opens

    private static let pageBytes = 16384

    /// Calls `body` with one overwritten page of the log file at a time. All processes end before the next page.
    private func withDamagedPages(
        _ home: BridgeHome, _ pages: [Int], _ body: (_ page: Int, Daemon) throws -> Void
    ) throws {
        let whole = try #require(FileBytes.read(log(home)))
        for page in pages {
            for name in ["", "-wal", "-shm", ".damaged", ".damaged-wal", ".damaged-shm"] { unlink(log(home) + name) }
            try FileBytes.write(whole, to: log(home))
            try overwrite(log(home), from: (page - 1) * Self.pageBytes, Self.pageBytes)
            let daemon = try Daemon(home)
            try body(page, daemon)
            daemon.process.kill(SIGTERM)
            _ = try daemon.process.exitStatus()
        }
    }

    /// The roots of the tables and indexes are at the beginning of the file, in the order of their creation.
    @Test func damageThatBreaksEverySessionStartsANewLog() throws {
        try BridgeHome.with { home in
            let count = try fill(home)
            let sessionTable = 3, runTable = 8
            try withDamagedPages(home, [3, 5, 7, 8, 9, 10]) { page, daemon in
                #expect(try home.status()["damagedLog"]?.stringValue == log(home) + ".damaged", "page \(page)")
                let rows = try home.run("sessions", "--all", "--json").outputText.split(separator: "\n")
                #expect(rows.count == (page == sessionTable ? 0 : 6), "page \(page)")
                if page != sessionTable, page != runTable {
                    #expect(try home.stored("agent-3:rude-1").count == count, "page \(page)")
                }
                try expectService(home, daemon)
            }
        }
    }

    @Test func aDamagedUpdatePageTruncatesOnlyItsSession() throws {
        try BridgeHome.with { home in
            let count = try fill(home)
            let pageCount = try #require(FileBytes.read(log(home))).count / Self.pageBytes
            try withDamagedPages(home, [20, pageCount / 3, pageCount * 3 / 4]) { page, daemon in
                var damaged = 0
                for number in 1...6 {
                    let outcome = try home.run("attach", SystemString("agent-\(number):rude-1"), "--no-follow")
                    let lines = wholeLines(of: outcome.output)
                    for (index, line) in lines.enumerated() {
                        let end = Array(#","_meta":{"n":\#(index + 1)}}}"#.utf8)
                        #expect(line.suffix(end.count).elementsEqual(end), "page \(page), update \(index + 1)")
                    }
                    guard outcome.status != .exited(code: 0) else {
                        #expect(lines.count == count, "page \(page)")
                        continue
                    }
                    damaged += 1
                    #expect(outcome.errorText.contains("cannot be read from number \(lines.count + 1)"))
                }
                #expect(damaged == 1, "page \(page)")
                try expectService(home, daemon)
            }
        }
    }
}
