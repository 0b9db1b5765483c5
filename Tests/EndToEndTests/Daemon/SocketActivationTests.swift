import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Testing

/// A bridge with sockets that belong to systemd. The test has `systemd-socket-activate` in place of the service manager.
@Suite(.blocking, .enabled(if: access("/usr/bin/systemd-socket-activate", X_OK) == 0))
struct SocketActivationTests {
    private func activate(_ home: BridgeHome, _ address: String, _ options: [SystemString] = []) throws -> EditorProcess
    {
        for folder in ["run", "config", "state"] { mkdir(home.path + "/" + folder, 0o700) }
        let passed: [SystemString] = ["HOME", "PATH", "ACPBRIDGE_HOME", "SWIFT_BACKTRACE", "ACPBRIDGE_DUMPABLE"]
        let variables = passed.flatMap { ["-E", $0] as [SystemString] }
        let process = try EditorProcess(
            ["/usr/bin/systemd-socket-activate", "-l", SystemString(address)] + variables
                + [Binary.acpbridge, "serve"] + options, in: home)
        home.keep(process)
        return process
    }

    @Test func theFirstClientStartsTheBridgeAndItsSocketStays() throws {
        try BridgeHome.with { home in
            let process = try activate(home, home.socket)
            try eventually("systemd listens") { access(home.socket, F_OK) == 0 }
            var before = stat()
            #expect(stat(home.socket, &before) == 0)
            let status = try home.status()
            #expect(status["pid"]?.int64Value == Int64(process.pid))
            #expect(status["urls"]?.elements.isEmpty == true)

            #expect(try home.run("serve", "--replace").status == .exited(code: 0))
            #expect(try home.status()["pid"]?.int64Value == Int64(process.pid))
            #expect(try home.run("stop").status == .exited(code: 0))
            var after = stat()
            #expect(stat(home.socket, &after) == 0 && after.st_ino == before.st_ino)
        }
    }

    @Test func anotherUnixSocketIsRefused() throws {
        try BridgeHome.with { home in
            let process = try activate(home, home.path + "/run/other.sock")
            try eventually("systemd listens") { access(home.path + "/run/other.sock", F_OK) == 0 }
            let client = try Sockets.connect(to: .unix(path: home.path + "/run/other.sock"))
            let outcome = try process.outcome()
            _ = consume client
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("but the bridge's socket is \(home.socket)"))
        }
    }
}
