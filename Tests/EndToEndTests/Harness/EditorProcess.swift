import AgentProcess
import CShims
import EventLoop
import Glibc
import Posix

/// A program with which a test communicates like an editor with its agent.
///
/// Every wait reads both output streams, so the program never blocks because of the test, unless the test requests that
/// (`pauseReading`). Every wait has a deadline.
final class EditorProcess {
    let pid: pid_t
    private let label: String
    private let exitDescriptor: Descriptor
    private var input: Int32
    private var output: IncomingBytes
    private var error: IncomingBytes
    private var unsent: [UInt8] = []
    private var sent = 0
    private var closesInputWhenSent = false
    private var status: TerminationStatus?

    /// Starts `command` in a session of its own, like graphical editors do.
    init(
        _ command: [SystemString], in home: BridgeHome, wiring: Wiring = .pipes, directory: SystemString? = nil,
        environment: [SystemString] = [], fileModeMask: Int32? = nil
    ) throws {
        let streams = try WiredStreams(wiring)
        var request = SpawnRequest(
            command: command, directory: directory ?? SystemString(home.path),
            environment: home.environment(with: environment))
        request.fileModeMask = fileModeMask
        let program = streams.program
        defer { streams.closeProgramEnds() }
        pid = try DetachedProcess.start(request, streams: (program.input, program.output, program.error))
        exitDescriptor = Descriptor(owning: cshims_pidfd_open(pid))
        label = command.map(\.description).joined(separator: " ")
        input = streams.test.input
        output = IncomingBytes(streams.test.output)
        error = IncomingBytes(streams.test.error)
    }

    deinit {
        if status == nil {
            Glibc.kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
        for fd in [input, output.fd, error.fd] where fd >= 0 { close(fd) }
    }

    // MARK: Writing

    /// Writes bytes to the program's input. Returns when the pipe has accepted them.
    func send(_ bytes: [UInt8]) throws {
        post(bytes)
        try wait(until: "the program has read its input") { unsent.isEmpty || input < 0 }
    }

    func sendLine(_ line: String) throws { try send(Array(line.utf8) + [0x0a]) }

    /// Like `send`, without waiting. The bytes are written while the test waits for something else.
    func post(_ bytes: [UInt8]) {
        if sent == unsent.count {
            unsent = bytes
            sent = 0
        } else {
            unsent += bytes
        }
    }

    /// Closes the program's input after all posted bytes are written.
    func closeInput() {
        closesInputWhenSent = true
        sendSome()
    }

    // MARK: Reading

    /// Returns the next line of output, without LF; nil at the end. Bytes after the last LF are not a line.
    func readLine() throws -> String? { try readLineBytes().map { String(decoding: $0, as: UTF8.self) } }

    func readLineBytes() throws -> [UInt8]? {
        var line: [UInt8]?
        try wait(until: "the program writes a line") {
            line = output.nextLine()
            return line != nil || output.hasEnded
        }
        return line
    }

    /// Returns the next line if it is available, or becomes available in time.
    func lineAtHand(within patience: Duration = .zero) throws -> [UInt8]? {
        if let line = output.nextLine() { return line }
        sendSome()
        moveBytes(waiting: Int32(clamping: patience.nanoseconds / 1_000_000))
        return output.nextLine()
    }

    var outputHasEnded: Bool { output.hasEnded }

    /// All output so far, including the lines that were already returned.
    var outputBytes: [UInt8] { output.bytes }
    var errorBytes: [UInt8] { error.bytes }
    var errorText: String { String(decoding: error.bytes, as: UTF8.self) }

    /// Reads until the total output has that many bytes, or the output ends.
    func readOutput(untilBytes count: Int) throws {
        try wait(until: "the program has written \(count) bytes") { output.bytes.count >= count || output.hasEnded }
    }

    func waitForError(_ text: String) throws {
        try wait(until: "stderr contains '\(text)'") { errorText.contains(text) || error.hasEnded }
    }

    func waitForEndOfOutput() throws { try wait(until: "the program's output ends") { output.hasEnded } }

    /// Stops reading the output until the next call with `false`.
    func pauseReading(_ isPaused: Bool = true) { output.isPaused = isPaused }

    /// The number of bytes in the pipe that have not been read yet.
    var unreadOutputBytes: Int {
        var count: Int32 = 0
        return ioctl(output.fd, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Returns when the other end of the program's input is closed, so that no process can read further bytes.
    func waitForBrokenInput() throws {
        try wait(until: "the program has closed its input") {
            var wait = pollfd(fd: input, events: 0, revents: 0)
            return poll(&wait, 1, 0) > 0 && wait.revents & Int16(POLLERR | POLLHUP) != 0
        }
    }

    /// Closes the test's end of the output, like an editor that stopped reading.
    func closeOutput() { output.closeNow() }

    // MARK: The end

    func kill(_ signal: Int32) { Glibc.kill(pid, signal) }

    func exitStatus(within patience: Duration = .seconds(30)) throws -> TerminationStatus {
        try wait(until: "the program exits", within: patience) { reapIfExited() }
        return status ?? .exited(code: -1)
    }

    /// Returns all output and the exit status; reads both streams to their end.
    func outcome() throws -> Outcome {
        try wait(until: "the program has exited and its streams have ended") {
            reapIfExited() && output.hasEnded && error.hasEnded
        }
        return Outcome(output: output.bytes, error: error.bytes, status: try exitStatus())
    }

    private func reapIfExited() -> Bool {
        if status != nil { return true }
        var raw: Int32 = 0
        guard waitpid(pid, &raw, WNOHANG) == pid else { return false }
        status = raw & 0x7f == 0 ? .exited(code: raw >> 8 & 0xff) : .signaled(signal: raw & 0x7f)
        return true
    }

    // MARK: Waiting

    /// Transfers bytes until `condition` is true.
    func wait(
        until claim: String, within patience: Duration = .seconds(30), _ condition: () throws -> Bool
    ) throws {
        let deadline = Deadline(after: patience)
        sendSome()
        while try !condition() {
            guard !deadline.hasPassed else {
                throw Overdue("\(claim): \(label); stdout \(output.tail), stderr \(error.tail)")
            }
            if moveBytes(waiting: min(deadline.milliseconds, 1000)) { deadline.somethingHasChanged() }
        }
    }

    /// Returns false if nothing happened in that time.
    @discardableResult
    private func moveBytes(waiting milliseconds: Int32) -> Bool {
        // poll(2) ignores descriptors of -1.
        var waits = [
            pollfd(fd: sent < unsent.count ? input : -1, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: output.fdToRead, events: Int16(POLLIN), revents: 0),
            pollfd(fd: error.fdToRead, events: Int16(POLLIN), revents: 0),
            pollfd(fd: status == nil ? exitDescriptor.raw : -1, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&waits, nfds_t(waits.count), milliseconds) > 0 else { return false }
        if waits[0].revents != 0 { sendSome() }
        if waits[1].revents != 0 { output.readSome() }
        if waits[2].revents != 0 { error.readSome() }
        return true
    }

    private func sendSome() {
        while sent < unsent.count, input >= 0 {
            let count = unsent.withUnsafeBytes { write(input, $0.baseAddress?.advanced(by: sent), $0.count - sent) }
            if count > 0 {
                sent += count
            } else {
                guard errno != EAGAIN, errno != EINTR else { return }
                // The program has closed its input.
                unsent = []
                sent = 0
            }
        }
        if sent == unsent.count {
            unsent = []
            sent = 0
            if closesInputWhenSent { closeInputNow() }
        }
    }

    private func closeInputNow() {
        guard input >= 0 else { return }
        // Input and output can be the same socket, which then needs a shutdown. For a pipe or a terminal `shutdown` has
        // no effect.
        shutdown(input, Int32(SHUT_WR))
        close(input)
        input = -1
    }
}
