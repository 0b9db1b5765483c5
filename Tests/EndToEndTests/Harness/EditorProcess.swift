import AgentProcess
import CShims
import EventLoop
import Glibc

/// A program that a test talks to as an editor talks to its agent.
///
/// What it writes is read at every wait, both streams, so that it never stands still for the test's sake; unless the
/// test wants that (`pauseReading`). Everything that waits has a deadline.
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

    /// Starts `command` in a session of its own, as graphical editors do.
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

    /// Hands it bytes; returns when the pipe has taken them.
    func send(_ bytes: [UInt8]) throws {
        post(bytes)
        try wait(until: "it has read what was sent") { unsent.isEmpty || input < 0 }
    }

    func sendLine(_ line: String) throws { try send(Array(line.utf8) + [0x0a]) }

    /// As `send`, without waiting: the bytes go out while the test waits for something else.
    func post(_ bytes: [UInt8]) {
        if sent == unsent.count {
            unsent = bytes
            sent = 0
        } else {
            unsent += bytes
        }
    }

    /// Its input ends when what was posted is sent.
    func closeInput() {
        closesInputWhenSent = true
        sendSome()
    }

    // MARK: Reading

    /// The next line of its output, without LF; nil at the end. What follows the last LF is no line.
    func readLine() throws -> String? { try readLineBytes().map { String(decoding: $0, as: UTF8.self) } }

    func readLineBytes() throws -> [UInt8]? {
        var line: [UInt8]?
        try wait(until: "it writes a line") {
            line = output.nextLine()
            return line != nil || output.hasEnded
        }
        return line
    }

    /// The next line if it is here, or comes in time.
    func lineAtHand(within patience: Duration = .zero) throws -> [UInt8]? {
        if let line = output.nextLine() { return line }
        sendSome()
        moveBytes(waiting: Deadline(after: patience).milliseconds)
        return output.nextLine()
    }

    var outputHasEnded: Bool { output.hasEnded }

    /// All it has written so far, taken lines included.
    var outputBytes: [UInt8] { output.bytes }
    var errorBytes: [UInt8] { error.bytes }
    var errorText: String { String(decoding: error.bytes, as: UTF8.self) }

    /// Reads until that many bytes of output have come in all, or it ends.
    func readOutput(untilBytes count: Int) throws {
        try wait(until: "it has written \(count) bytes") { output.bytes.count >= count || output.hasEnded }
    }

    func waitForError(_ text: String) throws {
        try wait(until: "stderr says '\(text)'") { errorText.contains(text) || error.hasEnded }
    }

    func waitForEndOfOutput() throws { try wait(until: "its output ends") { output.hasEnded } }

    /// Leaves its output unread until told otherwise.
    func pauseReading(_ isPaused: Bool = true) { output.isPaused = isPaused }

    /// What lies in the pipe and has not been read yet.
    var unreadOutputBytes: Int {
        var count: Int32 = 0
        return ioctl(output.fd, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Returns when nobody can read any more what is sent.
    func waitForBrokenInput() throws {
        try wait(until: "its input is closed at the other end") {
            var wait = pollfd(fd: input, events: 0, revents: 0)
            return poll(&wait, 1, 0) > 0 && wait.revents & Int16(POLLERR | POLLHUP) != 0
        }
    }

    /// As an editor whose reading end has gone.
    func closeOutput() { output.closeNow() }

    // MARK: The end

    func kill(_ signal: Int32) { Glibc.kill(pid, signal) }

    func exitStatus(within patience: Duration = .seconds(30)) throws -> TerminationStatus {
        try wait(until: "it exits", within: patience) { reapIfExited() }
        return status ?? .exited(code: -1)
    }

    /// All it wrote and how it ended; reads to the end of both streams.
    func outcome() throws -> Outcome {
        try wait(until: "it has exited and its streams have ended") {
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

    /// Moves bytes until `condition` holds.
    func wait(
        until claim: String, within patience: Duration = .seconds(30), _ condition: () throws -> Bool
    ) throws {
        let deadline = Deadline(after: patience)
        sendSome()
        while try !condition() {
            guard !deadline.hasPassed else {
                throw Overdue("\(claim): \(label); stdout \(output.tail), stderr \(error.tail)")
            }
            moveBytes(waiting: min(deadline.milliseconds, 1000))
        }
    }

    private func moveBytes(waiting milliseconds: Int32) {
        // poll(2) passes over descriptors of -1.
        var waits = [
            pollfd(fd: sent < unsent.count ? input : -1, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: output.fdToRead, events: Int16(POLLIN), revents: 0),
            pollfd(fd: error.fdToRead, events: Int16(POLLIN), revents: 0),
            pollfd(fd: status == nil ? exitDescriptor.raw : -1, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&waits, nfds_t(waits.count), milliseconds) > 0 else { return }
        if waits[0].revents != 0 { sendSome() }
        if waits[1].revents != 0 { output.readSome() }
        if waits[2].revents != 0 { error.readSome() }
    }

    private func sendSome() {
        while sent < unsent.count, input >= 0 {
            let count = unsent.withUnsafeBytes { write(input, $0.baseAddress?.advanced(by: sent), $0.count - sent) }
            if count > 0 {
                sent += count
            } else {
                guard errno != EAGAIN, errno != EINTR else { return }
                // It reads no more.
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
        // What it writes to may be the socket that it reads from, too. Of a pipe or a terminal nothing comes of it.
        shutdown(input, Int32(SHUT_WR))
        close(input)
        input = -1
    }
}
