import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Testing

/// Faults of a home: its socket, its folder, its descriptors, two bridges at once, and a file of an older version.
@Suite(.blocking) struct HomeFaultTests {
    @Test func onlyOneOfManySimultaneousBridgesServes() throws {
        try BridgeHome.with { home in
            let daemons = try (0..<8).map { _ in try EditorProcess([Binary.acpbridge, "serve", "--no-tcp"], in: home) }
            for daemon in daemons { home.keep(daemon) }
            var ready: [EditorProcess] = []
            for daemon in daemons {
                if try daemon.readLine() != nil {
                    ready.append(daemon)
                } else {
                    let outcome = try daemon.outcome()
                    #expect(outcome.status == .exited(code: 1))
                    #expect(outcome.errorText.contains("already running"))
                }
            }
            #expect(ready.count == 1)
            #expect(try home.status()["pid"]?.int64Value == ready.first.map { Int64($0.pid) })
        }
    }

    @Test func aDeletedSocketIsRecreated() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home)
            let client = try TinyvexTestClient(home)
            for _ in 1...3 {
                #expect(unlink(home.socket) == 0)
                try eventually("the socket exists") { access(home.socket, F_OK) == 0 }
                #expect(try home.status()["pid"]?.int64Value == Int64(daemon.process.pid))
            }
            #expect(try client.call("tinyvex/ping")["result"] != nil, "the connected client stays connected")
        }
    }

    /// The new program keeps the socket that it received, and passes on a socket that it has created again.
    @Test func aDeletedSocketIsRecreatedAfterAReplacement() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home)
            for number in 1...2 {
                #expect(try home.run("serve", "--replace").status == .exited(code: 0))
                #expect(try home.status()["pid"]?.int64Value == Int64(daemon.process.pid))
                #expect(rename(home.path + "/run", home.path + "/gone-\(number)") == 0)
                try eventually("the socket exists") { access(home.socket, F_OK) == 0 }
                #expect(try home.status()["pid"]?.int64Value == Int64(daemon.process.pid))
            }
        }
    }

    @Test func aDeletedFolderIsRecreatedAndStaysLocked() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home)
            // `rm` fails if the bridge is faster and the folder is no longer empty when `rm` removes it.
            _ = try home.shell("rm -rf \(home.path)/run")
            try eventually("the socket exists") { access(home.socket, F_OK) == 0 }
            #expect(try home.status()["pid"]?.int64Value == Int64(daemon.process.pid))
            let second = try home.run("serve", "--no-tcp")
            #expect(second.errorText.contains("already running (process \(daemon.process.pid))"))
        }
    }

    @Test(arguments: ["a file", "a dead socket"]) func aFileOrDeadSocketAtTheSocketPathIsReplaced(what: String) throws {
        try BridgeHome.with { home in
            mkdir(home.path + "/run", 0o700)
            if what == "a file" {
                try FileBytes.write([1, 2, 3], to: home.socket)
            } else {
                _ = try Sockets.listen(on: .unix(path: home.socket))
            }
            let daemon = try Daemon(home)
            #expect(try home.status()["pid"]?.int64Value == Int64(daemon.process.pid))
        }
    }

    @Test func aBridgeWithoutFreeDescriptorsWaitsAndRecovers() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, under: ["prlimit", "--nofile=48:48"])
            var connections = try (0..<60).map { _ in try Sockets.connect(to: .unix(path: home.socket)).release() }
            try eventually("all descriptors are in use") { ProcessFolder.descriptorCount(of: daemon.process.pid) >= 48 }
            let begin = processorSeconds(of: daemon.process.pid)
            poll(nil, 0, 1500)
            #expect(processorSeconds(of: daemon.process.pid) - begin < 0.5, "the bridge waits without spinning")
            for fd in connections { close(fd) }
            connections = []
            try eventually("the bridge serves again") { try home.run("status").status == .exited(code: 0) }
            let editors = try (0..<12).map { _ in try EditorProcess(BridgeHome.bridged(rude("echo")), in: home) }
            for editor in editors { editor.closeInput() }
            let outcomes = try editors.map { try $0.outcome() }
            #expect(outcomes.contains { $0.errorText.contains("Too many open files") })
            #expect(outcomes.allSatisfy { $0.status == .exited(code: 0) || $0.status == .exited(code: 126) })
            let last = try EditorSession(rude("echo"), in: home)
            try last.prompt("go")
            try last.end()
        }
    }

    /// The agent and the editor are connected by their own descriptors, so a stopped shim does not block the
    /// conversation.
    @Test func aStoppedShimDoesNotStopItsConversation() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let stalled = try EditorSession(BridgeHome.flood(500), in: home)
            let other = try EditorSession(BridgeHome.flood(500), in: home)
            stalled.process.kill(SIGSTOP)
            try other.prompt("go")
            try stalled.prompt("go")
            #expect(stalled.updates.count == 500)
            stalled.process.kill(SIGCONT)
            try stalled.end()
            try other.end()
        }
    }

    /// The second file has the current version, and is kept for later versions. It was the first file once, and has
    /// been used since.
    @Test(arguments: zip(["schema-1.db", "schema-3.db"], [3, 5]))
    func aLogWithAnotherSchemaVersionIsServed(name: String, count: Int) throws {
        try BridgeHome.with { home in
            mkdir(home.path + "/state", 0o700)
            let fixture = Fixture.path("").split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
            let path = fixture + "/SessionLogTests/Fixtures/\(name)"
            try FileBytes.write(try #require(FileBytes.read(path)), to: home.path + "/state/sessions.db")
            _ = try Daemon(home)
            let rows = try home.run("sessions", "--all", "--json").outputText.split(separator: "\n")
            #expect(rows.count == count)
            for row in rows {
                let session = try JSONValue(validating: Array(row.utf8))
                let count = session["updateCount"]?.int64Value ?? 0
                let client = try TinyvexTestClient(home)
                let id = try #require(session["sessionId"]?.stringValue)
                let journal = #","journal":"\#(session["journal"]?.stringValue ?? "")""#
                #expect(try client.history(of: id, params: journal).map(\.seq) == Array(1...count))
            }
        }
    }
}
