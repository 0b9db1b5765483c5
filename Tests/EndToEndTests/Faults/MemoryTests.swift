import AgentProcess
import Glibc
import JSONScan
import Testing
import WebSocket

/// Memory for a long line cannot be allocated: the bridge skips and counts the line, and its bytes reach the editor.
@Suite(.blocking) struct MemoryTests {
    private static let lineBytes = 50 << 20

    /// The memory limits range from too little for the line to enough for everything derived from the line. At each
    /// step between, a different allocation is the first to fail.
    @Test(.enabled(if: Sanitizer.current == nil, "a sanitizer reserves address space"))
    func aBridgeSurvivesLinesThatDoNotFitInMemory() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home)
            let pid = daemon.process.pid
            let editor = try EditorSession(
                [Binary.rudeAgent, "big-line", SystemString("\(Self.lineBytes)"), "--on", "prompt"], in: home)
            try editor.prompt("without a limit")
            let reader = try TinyvexTestClient(home)
            _ = try reader.subscribe(editor.sessionId, after: 2)
            for spare in [8, 40, 80, 120, 150, 180, 240] {
                // The log can still be reading the line before. With a limit below what it uses, nothing can be allocated.
                try eventually("the bridge is idle") {
                    let before = processorSeconds(of: pid)
                    poll(nil, 0, 50)
                    return processorSeconds(of: pid) == before
                }
                try limit(pid, toBytes: try addressBytes(of: pid) + spare << 20, in: home)
                try editor.prompt("with \(spare) MiB to spare")
                try eventually("every line is stored or skipped with \(spare) MiB to spare") {
                    try home.status()["unstoredBytes"]?.int64Value == 0
                }
                try limit(pid, toBytes: nil, in: home)
            }
            let updates = editor.updates
            #expect(updates.count { $0.count == Self.lineBytes } == 8, "the editor gets every long line")
            #expect(home.daemon == pid, "no new bridge was started")
            let status = try home.status()
            let lost = (status["unpublishedLines"]?.int64Value ?? 0) + (status["unstoredLines"]?.int64Value ?? 0)
            #expect((1...7).contains(lost), "\(lost)")
            let stored = try home.stored(editor.sessionId)
            #expect(stored.count == updates.count - Int(lost))
            #expect(stored.count { $0.count == Self.lineBytes } == 8 - Int(lost), "every short line is stored")
            try editor.end()
        }
    }

    /// 60 MiB in 60 kB on the wire. An array that cannot grow would end the bridge.
    @Test(.enabled(if: Sanitizer.current == nil, "a sanitizer reserves address space"))
    func aBridgeSurvivesCompressedMessagesThatDoNotFitInMemory() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", ":0", "--deflate-all"])
            let pid = daemon.process.pid
            let address = try #require(daemon.address)
            let token = String(decoding: FileBytes.read(home.token) ?? [], as: UTF8.self).prefix { !$0.isWhitespace }
            let spaces = [UInt8](repeating: 0x20, count: 60 << 20)
            for spare in [20, 40, 80, 120, 200] {
                let client = try TinyvexTestClient(
                    address, fields: [("Authorization", "Bearer \(token)")], path: "/acp?agent=none", offer: .init())
                try limit(pid, toBytes: try addressBytes(of: pid) + spare << 20, in: home)
                try client.write(client.compressedFrame(spaces) + Frame.close(CloseCode.normalClosure, maskKey: 7))
                try client.waitForEnd()
                try limit(pid, toBytes: nil, in: home)
                #expect(home.daemon == pid, "the bridge survives with \(spare) MiB to spare")
            }
        }
    }

    /// Most of the code that is mapped at the start is used only then.
    @Test(.enabled(if: Sanitizer.current == nil, "a sanitizer keeps its own data about each page"))
    func anIdleBridgeHasFewerPagesThanAtItsStart() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home)
            func kilobytes(_ name: String) throws -> Int {
                let status = String(decoding: FileBytes.read("/proc/\(daemon.process.pid)/status") ?? [], as: UTF8.self)
                let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("\(name):") })
                return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
            }
            try eventually("a tenth of the pages is unmapped") {
                try kilobytes("VmRSS") * 10 < kilobytes("VmHWM") * 9
            }
        }
    }

    private func addressBytes(of pid: pid_t) throws -> Int {
        let text = String(decoding: FileBytes.read("/proc/\(pid)/statm") ?? [], as: UTF8.self)
        let pages = try #require(text.split(separator: " ").first.flatMap { Int($0) })
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// - Parameter bytes: nil for no limit.
    private func limit(_ pid: pid_t, toBytes bytes: Int?, in home: BridgeHome) throws {
        // Set only the soft limit, because it can be raised again.
        let value = (bytes.map { "\($0)" } ?? "unlimited") + ":"
        let outcome = try EditorProcess(
            ["prlimit", "--pid", SystemString("\(pid)"), SystemString("--as=\(value)")], in: home
        ).outcome()
        #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
    }
}
