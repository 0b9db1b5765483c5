import AgentProcess
import EventLoop
import Glibc
import Testing

/// A bridge of its own: a fresh folder that `ACPBRIDGE_HOME` names. Starts nothing by itself.
final class BridgeHome {
    /// Short, since a Unix socket's path has 107 bytes at most.
    let path: String
    /// Processes that live as long as the home, whether or not the test still names them.
    private var kept: [EditorProcess] = []

    func keep(_ process: EditorProcess) { kept.append(process) }

    private init() throws {
        var template = Array((Self.folder + "/acpb-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `Tests/run.sh` has a temporary folder of its own, and finds by its name what a test left behind.
    private static let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"

    /// Gives `body` a home, and takes care that nothing of it is left.
    static func with<Result>(_ body: (BridgeHome) throws -> Result) throws -> Result {
        // A write to a process that has gone is an error to be seen, not the end of all tests.
        signal(SIGPIPE, SIG_IGN)
        let home = try BridgeHome()
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

    /// As the other, for what waits without blocking its thread.
    static func with<Result>(_ body: (BridgeHome) async throws -> Result) async throws -> Result {
        signal(SIGPIPE, SIG_IGN)
        let home = try BridgeHome()
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

    var socket: String { path + "/run/bridge.sock" }
    var token: String { path + "/config/token" }
    var daemonOutput: String { path + "/state/bridge.log" }

    /// What every process of this home gets, with variables of its own besides or in place of those.
    func environment(with own: [SystemString]) -> [SystemString] {
        func name(_ variable: SystemString) -> ArraySlice<UInt8> { variable.bytes.prefix { $0 != UInt8(ascii: "=") } }
        // A Swift program's own handling of crashes would come before the signals' (and SIGQUIT's) ordinary work.
        let usual = [
            "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=\(path)", "ACPBRIDGE_HOME=\(path)", "SWIFT_BACKTRACE=enable=no",
        ]
        // The tests look into a bridge by way of /proc, which only root may do while the bridge is not dumpable.
        let inspection = geteuid() == 0 ? [] : ["ACPBRIDGE_DUMPABLE=1"]
        let names = own.map(name)
        // Under a sanitizer its settings hold for the programs too.
        let sanitizer = ["ASAN_OPTIONS", "TSAN_OPTIONS", "LD_PRELOAD"].compactMap { (name: String) -> String? in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        return own + (usual + inspection + sanitizer).map { SystemString($0) }.filter { !names.contains(name($0)) }
    }

    /// `acpbridge -- agent…`
    static func bridged(_ agent: [SystemString]) -> [SystemString] { [Binary.acpbridge, "--"] + agent }

    /// The daemon's process id; nil when none runs.
    var daemon: pid_t? { processes.first { $0.command.contains("serve") }?.pid }

    // MARK: What runs here

    struct RunningProcess: CustomStringConvertible {
        let pid: pid_t
        let command: [String]

        var description: String { "\(pid) \(command.joined(separator: " "))" }
    }

    /// Everything that was started, however indirectly, with this home in its environment and is still alive.
    var processes: [RunningProcess] {
        let mark = Array("ACPBRIDGE_HOME=\(path)".utf8)
        return ProcessFolder.all.compactMap { pid in
            let variables = ProcessFolder.words(pid, "environ")
            guard variables.contains(mark) else { return nil }
            let command = ProcessFolder.words(pid, "cmdline").map { String(decoding: $0, as: UTF8.self) }
            return RunningProcess(pid: pid, command: command)
        }
    }

    /// Ends the daemon as a user would, if one runs, and checks that nothing is left running.
    private func stop() throws {
        defer { sweep() }
        if daemon != nil {
            let stop = try EditorProcess([Binary.acpbridge, "stop"], in: self)
            #expect(try stop.outcome().status == .exited(code: 0), "`acpbridge stop` fails: \(stop.errorText)")
        }
        try eventually("nothing runs from this home any more, but there is: \(processes)") { processes.isEmpty }
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

/// Whole files.
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
