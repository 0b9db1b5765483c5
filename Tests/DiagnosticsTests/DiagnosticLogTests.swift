import Glibc
import Posix
import Synchronization
import TestSupport
import Testing

@testable import Diagnostics

/// A log that writes into memory, with a clock that the test sets.
private final class LogUnderTest: Sendable {
    let log = DiagnosticLog()
    private let state = Mutex((text: "", room: Int.max, seconds: Int64(0)))

    init(_ level: DiagnosticLevel = .debug) {
        log.start(
            level, .text,
            clock: { [self] in
                let seconds = state.withLock { $0.seconds }
                return .init(
                    now: Instant(nanoseconds: seconds * 1_000_000_000), dateMilliseconds: seconds * 1_000)
            },
            write: { [self] in write($0) })
    }

    private func write(_ bytes: [UInt8]) -> Int {
        state.withLock { state in
            let accepted = bytes.prefix(state.room)
            state.text += String(decoding: accepted, as: UTF8.self)
            return accepted.count
        }
    }

    /// The bytes that each write accepts.
    func limitWrites(to bytes: Int) { state.withLock { $0.room = bytes } }

    func pass(seconds: Int64) { state.withLock { $0.seconds += seconds } }

    /// The lines so far, without their times.
    func takeLines() -> [String] {
        let text = state.withLock { state in
            defer { state.text = "" }
            return state.text
        }
        return text.split(separator: "\n").map { line in
            line.hasPrefix("time=") ? line.split(separator: " ").dropFirst().joined(separator: " ") : String(line)
        }
    }
}

@Suite struct DiagnosticLogTests {
    @Test func eventsBelowTheLevelAreNotLogged() {
        let under = LogUnderTest(.warning)
        under.log.record(.stopping)
        under.log.record(.clientClosed(id: "c1", reason: "closed"))
        under.log.record(.logFailed(error: "full"))
        under.log.record(.warned("slow"))
        #expect(
            under.takeLines() == ["level=error event=log_failed error=full", "level=warning event=warned text=slow"])
    }

    @Test func aLogThatWasNotStartedDiscardsEvents() {
        let log = DiagnosticLog()
        log.record(.stopping)
        let result: Int? = orLog("counting", to: log) { throw SystemError("write", code: ENOSPC) }
        #expect(result == nil)
    }

    @Test func anIgnoredErrorIsLoggedWithItsActivity() {
        let under = LogUnderTest()
        let none: Int? = orLog("watching a socket", to: under.log) { () throws(SystemError) in
            throw SystemError("epoll_ctl", code: ENOSPC)
        }
        #expect(none == nil && orLog("counting", to: under.log) { 3 } == 3)
        let lines = under.takeLines()
        #expect(lines.count == 1)
        #expect(
            lines.first?.hasPrefix(#"level=warning event=failed doing="watching a socket" error="epoll_ctl"#) == true)
    }

    @Test func repeatedLinesAreLimitedAndTheirNumberIsReported() {
        let under = LogUnderTest()
        for _ in 0..<25 { under.log.record(.refused(status: 401, peer: "10.0.0.1")) }
        // The limit concerns one event, not the others.
        under.log.record(.stopping)
        #expect(under.takeLines().count == RepetitionLimit.lines + 1)
        under.pass(seconds: 11)
        under.log.record(.refused(status: 401, peer: "10.0.0.2"))
        under.log.record(.refused(status: 429, peer: "10.0.0.2"))
        #expect(
            under.takeLines() == [
                "level=warning event=refused status=401 peer=10.0.0.2 suppressed=15",
                "level=warning event=refused status=429 peer=10.0.0.2",
            ])
    }

    @Test func eachActivityHasItsOwnLimit() {
        let under = LogUnderTest()
        for _ in 0..<25 {
            under.log.record(.failed(doing: "reading", error: "EIO"))
            under.log.record(.failed(doing: "writing", error: "EIO"))
        }
        #expect(under.takeLines().count == 2 * RepetitionLimit.lines)
    }

    @Test func linesThatCannotBeWrittenAreCountedAndReported() {
        let under = LogUnderTest()
        under.limitWrites(to: 0)
        under.log.record(.stopping)
        under.log.record(.stopping)
        under.limitWrites(to: .max)
        under.log.record(.stopped)
        under.log.record(.stopped)
        #expect(under.takeLines() == ["level=info event=stopped unreported=2", "level=info event=stopped"])
    }

    @Test func aLineAfterAPartialOneBeginsOnItsOwnLine() {
        let under = LogUnderTest()
        under.limitWrites(to: 7)
        under.log.record(.stopping)
        under.limitWrites(to: .max)
        under.log.record(.stopped)
        // The first line is the part of a line, without its time.
        #expect(under.takeLines() == ["", "level=info event=stopped unreported=1"])
    }

    @Test func theFieldsOfEachEventAreWritten() {
        let under = LogUnderTest()
        under.log.record(.started(version: "1.2.3", pid: 7, agents: 0))
        under.log.record(.listening(address: "127.0.0.1:7717"))
        under.log.record(.agentStarted(agent: "codex", pid: 8))
        under.log.record(.agentEnded(agent: "codex", pid: 8, .signaled(signal: 9)))
        under.log.record(.agentEnded(agent: "codex", pid: 8, .exited(code: 0)))
        under.log.record(.agentEnded(agent: "codex", pid: 8, nil))
        under.log.record(.sessionClaimed(agent: "codex", sessionId: "s 1"))
        under.log.record(.clientConnected(id: "c1", path: "/acp"))
        #expect(
            under.takeLines() == [
                "level=info event=started version=1.2.3 pid=7 agents=0",
                "level=info event=listening address=127.0.0.1:7717",
                "level=info event=agent_started agent=codex pid=8",
                "level=info event=agent_ended agent=codex pid=8 signal=9",
                "level=info event=agent_ended agent=codex pid=8 status=0",
                "level=info event=agent_ended agent=codex pid=8",
                #"level=debug event=session_claimed agent=codex session="s 1""#,
                "level=debug event=client_connected connection=c1 path=/acp",
            ])
    }
}

@Suite struct DescriptorOutputTests {
    @Test func aFullPipeDoesNotBlockAndReceivesNoPartialLine() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for fd in ends { close(fd) } }
        let output = DescriptorOutput(fd: ends[1])
        let line = [UInt8](repeating: 0x78, count: DiagnosticLine.limitBytes)
        var lines = 0
        while lines < 1_000, output.write(line) == line.count { lines += 1 }
        #expect((1..<1_000).contains(lines) && output.write(line) == 0)
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        #expect(read(ends[0], &bytes, bytes.count) > 0)
        #expect(output.write(line) == line.count)
    }

    @Test func aFileIsAppendedToAndPrivate() throws {
        let folder = TemporaryFolder()
        let path = folder.file("bridge.log", "before\n")
        #expect(try FileOutput(path).write(Array("after\n".utf8)) == 6)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_size == 13 && status.st_mode & 0o777 == 0o600)
        #expect(throws: SystemError.self) { try FileOutput(folder.path + "/none/bridge.log") }
    }
}
