import AgentProcess
import Glibc
import Testing

/// A core file of a bridge never contains tokens and conversations, unless the user asks for core files. Agents keep
/// their own limit.
@Suite(.blocking) struct CoreDumpTests {
    /// The soft and the hard limit of core files in bytes, as proc(5) shows them.
    private func limits(of pid: pid_t) -> [Substring] {
        let lines = String(decoding: FileBytes.read("/proc/\(pid)/limits") ?? [], as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("Max core file size") } ?? ""
        return Array(line.dropFirst("Max core file size".count).split(separator: " ").prefix(2))
    }

    private func agent(in home: BridgeHome) throws -> pid_t {
        try #require(home.processes.first { $0.command.first?.hasSuffix("rude-agent") == true }?.pid)
    }

    @Test func theBridgesLimitIsZeroAndAgentsKeepTheirs() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(
                home, under: ["prlimit", "--core=4096:8192"], environment: ["ACPBRIDGE_DUMPABLE=0"])
            #expect(limits(of: daemon.process.pid) == ["0", "8192"])
            let editor = try EditorProcess(BridgeHome.bridged(rude("echo")), in: home)
            try editor.openSession()
            #expect(limits(of: try agent(in: home)) == ["4096", "8192"])
        }
    }

    @Test func theLimitRemainsAfterAReplacement() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(
                home, under: ["prlimit", "--core=4096:8192"], environment: ["ACPBRIDGE_DUMPABLE=0"])
            #expect(try home.run("serve", "--replace").status == .exited(code: 0))
            #expect(limits(of: daemon.process.pid) == ["0", "8192"])
            let editor = try EditorProcess(BridgeHome.bridged(rude("echo")), in: home)
            try editor.openSession()
            #expect(limits(of: try agent(in: home)) == ["4096", "8192"])
        }
    }

    @Test func aDumpableBridgeKeepsItsLimit() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(
                home, under: ["prlimit", "--core=4096:8192"], environment: ["ACPBRIDGE_DUMPABLE=1"])
            #expect(limits(of: daemon.process.pid) == ["4096", "8192"])
        }
    }

    /// True if core files are written to the working folder, which is the kernel's default.
    private static let writesFiles: Bool = {
        let pattern = String(decoding: FileBytes.read("/proc/sys/kernel/core_pattern") ?? [], as: UTF8.self)
        return pattern.hasPrefix("core")
    }()

    @Test(
        .enabled(if: writesFiles, "core files are written elsewhere on this machine"),
        .enabled(if: Sanitizer.current == nil, "a sanitizer's memory is too large for a file"),
        arguments: [false, true])
    func aCrashWritesACoreFileOnlyIfRequested(asks: Bool) throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(
                home, under: ["prlimit", "--core=unlimited"],
                environment: [asks ? "ACPBRIDGE_DUMPABLE=1" : "ACPBRIDGE_DUMPABLE=0"])
            // The limit alone is not enough, because another process can raise it while the program runs.
            let raise = try EditorProcess(
                ["prlimit", "--core=unlimited", "--pid", SystemString("\(daemon.process.pid)")], in: home)
            #expect(try raise.outcome().status == .exited(code: 0))
            daemon.process.kill(SIGSEGV)
            _ = try daemon.process.exitStatus()
            #expect(ProcessFolder.entries(home.path).contains { $0.hasPrefix("core") } == asks)
        }
    }
}
