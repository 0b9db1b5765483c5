import AgentProcess
import Glibc
import JSONScan
import Testing

/// A disk and a clock that a test can break, with a library between the bridge and the C library. See
/// `Fixtures/faults.c`.
struct Faults {
    private let home: BridgeHome
    private let library: String
    private var file: String { home.path + "/faults" }
    /// The files of the log of which a sync has failed.
    var failedFiles: String { list("failed") }
    /// WALs of which a later sync has succeeded although nothing was written again.
    var lostFiles: String { list("lost") }
    /// WALs that were written again before a later sync.
    var keptFiles: String { list("kept") }

    private func list(_ state: String) -> String {
        String(decoding: FileBytes.read("\(file).\(state)") ?? [], as: UTF8.self)
    }

    /// Compiles the library with the C compiler that the package's build also needs.
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

    /// Sets the faults from now on. Only writes to the log's folder are affected.
    func set(
        clockOffsetSeconds: Int = 0, writeDelayMilliseconds: Int = 0, writeError: Int32 = 0, syncError: Int32 = 0
    ) throws {
        let line = "\(clockOffsetSeconds) \(writeDelayMilliseconds) \(writeError) \(syncError)\n"
        // Replace the file atomically, because the library can read it at any moment.
        try FileBytes.write(Array(line.utf8), to: file + ".new")
        rename(file + ".new", file)
    }

    func daemon(_ options: [SystemString] = ["--no-tcp"]) throws -> Daemon {
        // Keep a sanitizer's own libraries: without them ThreadSanitizer would report accesses that a lock protects.
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
    /// An agent that writes `count` updates of `size` bytes for each prompt and no other updates.
    static func flood(_ count: Int, size: Int = 200) -> [SystemString] {
        rude(
            "flood", "--on", "prompt", "--lines", SystemString("\(count)"), "--size", SystemString("\(size)"),
            "--updates", "0", "--early", "0", "--late", "0")
    }

    /// The lines of a session's stored updates, as `attach` prints them.
    func stored(_ session: String) throws -> [[UInt8]] {
        let outcome = try run("attach", SystemString(session), "--no-follow")
        #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
        return wholeLines(of: outcome.output)
    }
}

/// The processor time that a process has used.
func processorSeconds(of pid: pid_t) -> Double {
    let text = String(decoding: FileBytes.read("/proc/\(pid)/stat") ?? [], as: UTF8.self)
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
}
