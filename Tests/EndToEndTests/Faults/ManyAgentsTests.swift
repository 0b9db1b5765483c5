import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Testing

/// Starts and ends agents by the dozen, in every way an agent can end. Afterwards no agent and no process of an agent
/// is left. The bridge has as many descriptors as before, and no more memory.
///
/// `ACPBRIDGE_TEST_AGENTS=1000` starts that many agents for each way; `Tests/agents.sh` sets it.
@Suite(.blocking) struct ManyAgentsTests {
    /// The number of agents for each way, and the number at once.
    private static let count = getenv("ACPBRIDGE_TEST_AGENTS").flatMap { Int(String(cString: $0)) } ?? 8
    private static let batch = 32

    /// A way to end.
    struct Way: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let agent: [SystemString]
        let ending: Ending

        init(_ description: String, _ agent: [SystemString], _ ending: Ending = .inputEnds) {
            testDescription = description
            self.agent = agent
            self.ending = ending
        }
    }

    enum Ending: Equatable {
        /// The editor closes the agent's input.
        case inputEnds
        /// The editor vanishes with all its pipes.
        case editorVanishes
        /// The editor's shim gets this signal.
        case front(Int32)
        /// The agent ends while it opens its session, or before.
        case byItself
    }

    static let ways = [
        Way("it ends after its input", rude("echo")),
        Way("it exits by itself", rude("exit", "3"), .byItself),
        Way("it crashes", rude("crash", "--signal", "11", "--on", "new"), .byItself),
        Way("its shim is killed", rude("stall"), .front(SIGKILL)),
        Way("it gets SIGTERM", rude("echo"), .front(SIGTERM)),
        Way("its editor vanishes", rude("flood", "--lines", "300", "--on", "new"), .editorVanishes),
        Way("it ignores the end of its input", rude("ignore-eof")),
        Way("it also ignores SIGTERM", rude("ignore-eof", "ignore-term"), .front(SIGKILL)),
        Way("it hangs in the middle of a line", rude("half-line", "--then", "hang", "--on", "new"), .editorVanishes),
        Way("it fills its stderr", rude("flood-stderr", "2000000", "--on", "new"), .editorVanishes),
        Way("it has started a child", rude("grandchild")),
        Way("it has started a child in a new session", rude("setsid-grandchild")),
        Way("its wrapper waits for it", shell("\"$@\"; exit $?", Binary.rudeAgent, "ignore-eof"), .front(SIGKILL)),
        Way(
            "its wrapper exits first", shell("setsid \"$@\" <&0 & sleep 0.1", Binary.rudeAgent, "ignore-eof"), .byItself
        ),
    ]

    @Test(arguments: ways) func endedAgentsLeaveNothing(way: Way) throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home)
            // Run once before measuring, for resources that are allocated once: threads' stacks, statements, caches.
            try run(Self.count > Self.batch ? way : Self.ways[0], count: min(Self.count, Self.batch), in: home)
            let before = try steadyDescriptors(daemon)
            let residentBytes = try TinyvexTestClient(home).residentBytes()
            var rest = Self.count
            while rest > 0 {
                try run(way, count: min(rest, Self.batch), in: home)
                rest -= Self.batch
            }
            try eventually("the bridge has only the descriptors \(before); it has \(descriptors(daemon))") {
                descriptors(daemon).count <= before.count
            }
            // The log's caches keep some bytes of each session. A leak of an agent's buffers would be far larger.
            let growth = try TinyvexTestClient(home).residentBytes() - residentBytes
            #expect(Sanitizer.blursMemory != nil || growth < Int64(8 << 20), "\(residentBytes) bytes before")
            guard Self.count > Self.batch else { return }
            print("\(way.testDescription): \(Self.count) agents, none left, ", terminator: "")
            print("\(descriptors(daemon).count) descriptors as before, \(growth >> 10) KiB more")
        }
    }

    /// Waits until two looks agree. A watch of a folder is replaced after files were deleted there, and a look at that moment
    /// can miss it.
    private func steadyDescriptors(_ daemon: Daemon) throws -> [String] {
        var last: [String] = []
        try eventually("two looks at the descriptors agree") {
            let previous = last
            last = descriptors(daemon)
            return last == previous
        }
        return last
    }

    /// Excludes the log's own files, because some of them are opened on first use.
    private func descriptors(_ daemon: Daemon) -> [String] {
        ProcessFolder.descriptors(of: daemon.process.pid).filter {
            !$0.contains("/state/sessions.db") && !$0.contains("/state/search.db")
        }
    }

    /// Runs `count` agents at once. Returns when all of them and all their processes are gone.
    private func run(_ way: Way, count: Int, in home: BridgeHome) throws {
        var editors: [EditorProcess] = []
        for _ in 0..<count { editors.append(try EditorProcess(BridgeHome.bridged(way.agent), in: home)) }
        for editor in editors { editor.post(Array((editor.newSession(id: "1") + "\n").utf8)) }
        for editor in editors where way.ending != .byItself { try editor.readOutput(untilBytes: 1) }
        for editor in editors { end(editor, way.ending) }
        for editor in editors { _ = try editor.exitStatus(within: .seconds(60)) }
        editors = []
        try eventually("only the bridge is left: \(home.processes)") { home.processes.count == 1 }
    }

    private func end(_ editor: EditorProcess, _ ending: Ending) {
        switch ending {
        case .inputEnds: editor.closeInput()
        case .editorVanishes:
            editor.closeOutput()
            editor.closeInput()
        case .front(let signal): editor.kill(signal)
        case .byItself: break
        }
    }
}
