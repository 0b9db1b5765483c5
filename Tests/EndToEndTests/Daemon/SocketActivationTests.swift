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

    /// Waits until systemd listens: the file exists a little earlier, and then refuses connections.
    private func waitForListener(at path: String) throws {
        try eventually("systemd listens") {
            let sockets = (FileBytes.read("/proc/net/unix") ?? []).split(separator: UInt8(ascii: "\n"))
            return sockets.contains { socket in
                let fields = socket.split(separator: UInt8(ascii: " "))
                // The flag is __SO_ACCEPTCON of linux/net.h.
                let isListener = fields.count == 8 && fields[3].elementsEqual("00010000".utf8)
                return isListener && fields[7].elementsEqual(path.utf8)
            }
        }
    }

    @Test func theFirstClientStartsTheBridgeAndItsSocketStays() throws {
        try BridgeHome.with { home in
            let process = try activate(home, home.socket)
            try waitForListener(at: home.socket)
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
            try waitForListener(at: home.path + "/run/other.sock")
            let client = try Sockets.connect(to: .unix(path: home.path + "/run/other.sock"))
            let outcome = try process.outcome()
            _ = consume client
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("but the bridge's socket is \(home.socket)"))
        }
    }
}
