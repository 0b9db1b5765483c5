import AgentProcess
import BenchLoad
import BenchMeasuring
import EventLoop
import Glibc
import Posix

/// An editor from the point of view of an agent, over the agent's own pipes or through `acpbridge --`.
///
/// During a turn, it reads and counts bytes. All updates have the same size, so it does not need to search for lines.
package final class Editor: PollSource {
    /// The time from the start of the program to the response to `initialize`.
    package let timeToInitialize: Duration
    private let program: RunningProgram
    private let lineBytes: Int
    private var nextId = 1
    /// The number of bytes of the turn's updates so far, and the expected total.
    private var received = 0
    private var expected = 0
    private var answer: [UInt8] = []
    private(set) var isTurnOver = true
    /// The time from the agent's write to this read. Recorded only if the agent stamps its updates.
    private(set) var latencies = Latencies()
    private let readsStamps: Bool

    package init(_ command: [String], environment: [SystemString], agent: AgentOptions = AgentOptions()) throws {
        program = try RunningProgram(command, environment: environment)
        lineBytes = agent.lineBytes
        readsStamps = agent.rate != nil
        try program.send(AgentRequest.initialize.line(id: 0))
        _ = try AgentRequest.result(in: program.nextLine())
        timeToInitialize = .now - program.startedAt
    }

    /// Returns the new session's id.
    func newSession() throws -> String {
        try send(.newSession)
        return try AgentRequest.sessionId(in: program.nextLine())
    }

    /// Makes the agent write `lines` updates. The poller triggers the reads.
    func beginTurn(_ sessionId: String, lines: Int) throws {
        received = 0
        expected = lines * lineBytes
        answer = []
        isTurnOver = false
        latencies.removeAll()
        try send(.prompt(sessionId: sessionId, updates: lines))
    }

    /// Closes the agent's input and waits for the agent to end.
    package func close() throws {
        program.closeInput()
        try program.waitForEnd()
    }

    private func send(_ request: AgentRequest) throws {
        try program.send(request.line(id: nextId))
        nextId += 1
    }

    // MARK: Reading a turn

    package var fd: Int32 { program.outputDescriptor }

    package func readReady(into buffer: UnsafeMutableRawBufferPointer) throws {
        let count = read(fd, buffer.baseAddress, buffer.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { throw BenchFailure("the agent ended in the middle of a turn") }
        let now = Instant.now
        let chunk = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        let updates = min(count, expected - received)
        if readsStamps { noteLatencies(UnsafeRawBufferPointer(rebasing: chunk[..<updates]), now) }
        received += updates
        if updates < count { try readResponse(chunk[updates...]) }
    }

    private func noteLatencies(_ chunk: UnsafeRawBufferPointer, _ now: Instant) {
        UpdateLine.forEachStamp(in: chunk, at: received, lineBytes: lineBytes) { stamp in
            latencies.add(now.nanoseconds - stamp)
        }
    }

    private func readResponse(_ bytes: Slice<UnsafeRawBufferPointer>) throws {
        answer += bytes
        guard answer.last == 0x0a else { return }
        _ = try AgentRequest.result(in: answer)
        isTurnOver = true
    }
}
