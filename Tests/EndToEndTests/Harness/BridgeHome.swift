import AgentProcess
import EventLoop
import Glibc
import Posix
import Testing

/// A fresh folder for a separate bridge; `ACPBRIDGE_HOME` names it. Creating it starts no process.
final class BridgeHome {
    /// The path is short, because a Unix socket's path has at most 107 bytes.
    let path: String
    /// The path of the home that the test on this thread or task uses. Nil outside of `with`.
    @TaskLocal static var current: String?

    /// Processes that stay alive as long as the home, even if the test holds no reference to them.
    private var kept: [EditorProcess] = []

    func keep(_ process: EditorProcess) { kept.append(process) }

    private init() throws {
        var template = Array((Self.folder + "/acpb-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `Tests/run.sh` uses a temporary folder of its own, and finds by its name the files that a test left behind.
    private static let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"

    /// Calls `body` with a home, and afterwards removes the home and ends its processes.
    static func with<Result>(_ body: (BridgeHome) throws -> Result) throws -> Result {
        // A write to a process that has ended must return an error and not end the test run.
        signal(SIGPIPE, SIG_IGN)
        let home = try BridgeHome()
        return try $current.withValue(home.path) {
            let result: Result
            do {
                result = try body(home)
            } catch {
                home.sweep()
                throw error
            }
            try home.stop()
            return result
        }
    }

    /// Like the other `with`, for a body that waits without blocking its thread.
    static func with<Result>(_ body: (BridgeHome) async throws -> Result) async throws -> Result {
        signal(SIGPIPE, SIG_IGN)
        let home = try BridgeHome()
        return try await $current.withValue(home.path) {
            let result: Result
            do {
                result = try await body(home)
            } catch {
                home.sweep()
                throw error
            }
            try home.stop()
            return result
        }
    }

    var socket: String { path + "/run/bridge.sock" }
    var token: String { path + "/config/token" }
    var daemonOutput: String { path + "/state/bridge.log" }

    /// The environment of every process of this home. Variables in `own` are added to it or override it.
    func environment(with own: [SystemString]) -> [SystemString] {
        func name(_ variable: SystemString) -> ArraySlice<UInt8> { variable.bytes.prefix { $0 != UInt8(ascii: "=") } }
        // Swift's own crash handler would run before the signals' (and SIGQUIT's) default action.
        let usual = [
            "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=\(path)", "ACPBRIDGE_HOME=\(path)", "SWIFT_BACKTRACE=enable=no",
        ]
        // The tests inspect a bridge through /proc. Only root can do that while the bridge is not dumpable.
        let inspection = geteuid() == 0 ? [] : ["ACPBRIDGE_DUMPABLE=1"]
        let names = own.map(name)
        // The sanitizer's settings also apply to the programs that the tests start.
        let sanitizer = ["ASAN_OPTIONS", "TSAN_OPTIONS", "LD_PRELOAD"].compactMap { (name: String) -> String? in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        return own + (usual + inspection + sanitizer).map { SystemString($0) }.filter { !names.contains(name($0)) }
    }

    /// The command `acpbridge -- agent…`.
    static func bridged(_ agent: [SystemString]) -> [SystemString] { [Binary.acpbridge, "--"] + agent }

    /// The daemon's process id; nil if no daemon runs.
    var daemon: pid_t? { processes.first { $0.command.contains("serve") }?.pid }

    // MARK: Running processes

    struct RunningProcess: CustomStringConvertible {
        let pid: pid_t
        let command: [String]

        var description: String { "\(pid) \(command.joined(separator: " "))" }
    }

    /// All live processes that were started with this home in their environment, directly or indirectly.
    var processes: [RunningProcess] { Self.processes(ofHomeAt: path) }

    static func processes(ofHomeAt path: String) -> [RunningProcess] {
        let mark = Array("ACPBRIDGE_HOME=\(path)".utf8)
        return ProcessFolder.all.compactMap { pid in
            let variables = ProcessFolder.words(pid, "environ")
            guard variables.contains(mark) else { return nil }
            let command = ProcessFolder.words(pid, "cmdline").map { String(decoding: $0, as: UTF8.self) }
            return RunningProcess(pid: pid, command: command)
        }
    }

    /// Ends the daemon like a user would, if one runs, and checks that no process is left.
    private func stop() throws {
        defer { sweep() }
        if daemon != nil {
            let stop = try EditorProcess([Binary.acpbridge, "stop"], in: self)
            #expect(try stop.outcome().status == .exited(code: 0), "`acpbridge stop` failed: \(stop.errorText)")
        }
        try eventually("no process runs from this home; still running: \(processes)") { processes.isEmpty }
    }

    private func sweep() {
        for process in processes { kill(process.pid, SIGKILL) }
        let remove = try? DetachedProcess.start(
            SpawnRequest(
                command: ["rm", "-rf", SystemString(path)], directory: "/", environment: ["PATH=/usr/bin:/bin"]),
            streams: (nullDevice, nullDevice, nullDevice))
        if let remove { waitpid(remove, nil, 0) }
    }
}

/// `/dev/null`, opened once for the whole run.
let nullDevice = open("/dev/null", O_RDWR | O_CLOEXEC)

/// Reads and writes whole files.
enum FileBytes {
    static func read(_ path: String) -> [UInt8]? {
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else { return nil }
        defer { close(fd) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(fd, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
        }
    }

    static func write(_ bytes: some Collection<UInt8>, to path: String) throws {
        let fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard fd >= 0 else { throw SystemError("open \(path)") }
        defer { close(fd) }
        let bytes = Array(bytes)
        guard Glibc.write(fd, bytes, bytes.count) == bytes.count else { throw SystemError("write \(path)") }
    }
}
