import AgentProcess
import Glibc
import JSONScan
import Testing

/// A disk and a clock that a test breaks: what stands between a bridge and the C library. See `Fixtures/faults.c`.
struct Faults {
    private let home: BridgeHome
    private let library: String
    private var file: String { home.path + "/faults" }

    /// Compiles it, with the C compiler that building the package needs too.
    init(_ home: BridgeHome) throws {
        self.home = home
        library = home.path + "/faults.so"
        let compiler = try EditorProcess(
            ["cc", "-shared", "-fPIC", "-O1", "-o", SystemString(library), SystemString(Fixture.path("faults.c"))],
            in: home)
        let outcome = try compiler.outcome()
        #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
        try set()
    }

    /// What holds from now on. Writes are those to the folder of the log.
    func set(clockOffsetSeconds: Int = 0, writeDelayMilliseconds: Int = 0, writeError: Int32 = 0) throws {
        let line = "\(clockOffsetSeconds) \(writeDelayMilliseconds) \(writeError)\n"
        // In one step: it is read at any moment.
        try FileBytes.write(Array(line.utf8), to: file + ".new")
        rename(file + ".new", file)
    }

    func daemon(_ options: [SystemString] = ["--no-tcp"]) throws -> Daemon {
        // What a sanitizer needs stays: ThreadSanitizer would report what a lock guards.
        let preloaded = [library] + (getenv("LD_PRELOAD").map { [String(cString: $0)] } ?? [])
        return try Daemon(
            home, options,
            environment: [
                SystemString("LD_PRELOAD=\(preloaded.joined(separator: ":"))"), SystemString("FAULTS_FILE=\(file)"),
                SystemString("FAULTS_PATH=\(home.path)/state/"),
                "ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0",
            ])
    }
}

extension BridgeHome {
    /// An agent that writes so many updates of that size at each prompt, and nothing else of its own.
    static func flood(_ count: Int, size: Int = 200) -> [SystemString] {
        rude(
            "flood", "--on", "prompt", "--lines", SystemString("\(count)"), "--size", SystemString("\(size)"),
            "--updates", "0", "--early", "0", "--late", "0")
    }

    /// The lines of a session's updates, as `attach` prints what is stored.
    func stored(_ session: String) throws -> [[UInt8]] {
        let outcome = try run("attach", SystemString(session), "--no-follow")
        #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
        return wholeLines(of: outcome.output)
    }
}

/// Processor time that a process has used.
func processorSeconds(of pid: pid_t) -> Double {
    let text = String(decoding: FileBytes.read("/proc/\(pid)/stat") ?? [], as: UTF8.self)
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
}
