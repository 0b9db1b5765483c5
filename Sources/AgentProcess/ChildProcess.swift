import CShims
import EventLoop
import Glibc

/// How a process ended.
public enum TerminationStatus: Equatable, Sendable {
    case exited(code: Int32)
    case signaled(signal: Int32)

    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .exited(code: waitStatus >> 8 & 0xff) : .signaled(signal: signal)
    }
}

/// What to run: a command, where, with which environment.
public struct SpawnRequest: Sendable {
    public var command: [SystemString]
    /// Absolute.
    public var directory: SystemString
    /// `NAME=value` strings, all of them: nothing is inherited.
    public var environment: [SystemString]
    /// The umask; nil to inherit ours.
    public var fileModeMask: Int32?
    /// The soft limit of open files; nil to inherit ours.
    public var openFilesLimit: Int?
    /// The soft limit of core files; nil to inherit ours.
    public var coreLimit: CoreDumps.Limit?
    /// Whether the program is killed when the thread that started it ends.
    public var diesWithParent = true

    public init(command: [SystemString], directory: SystemString, environment: [SystemString]) {
        self.command = command
        self.directory = directory
        self.environment = environment
    }
}

/// A running program in a session and process group of its own, with pipes on its three standard streams.
///
/// It gets SIGKILL when this process dies. Its id cannot be used anew before `reap()`.
public struct ChildProcess: ~Copyable {
    public let pid: pid_t
    /// Readable once the program has ended.
    public let exitDescriptor: Descriptor
    /// The pipes' inode numbers, by which whoever else holds one is known. Input, output, error.
    public let pipes: [UInt64]
    private var standardInput: ByteStream?
    private var standardOutput: ByteStream?
    private var standardError: ByteStream?

    /// Room in the pipe from the agent: 1 MiB lets a burst through without a wake-up per 64 KiB.
    private static let outputPipeBytes = 1 << 20

    /// Our ends of the pipes are non-blocking. Call it on the loop's thread: the death signal is bound to the thread.
    public static func spawn(_ request: SpawnRequest) throws(SpawnError) -> ChildProcess {
        let path = try Spawning.file(for: request)
        do throws(SystemError) {
            let input = try Pipe(), output = try Pipe(), error = try Pipe()
            output.raiseCapacity(toBytes: outputPipeBytes)
            let pid = try Spawning.launch(
                path, request, streams: (input.readEnd.raw, output.writeEnd.raw, error.writeEnd.raw))
            return try ChildProcess(pid: pid, input: input, output: output, error: error)
        } catch {
            throw Spawning.error(error, request)
        }
    }

    /// A child of this process that the program before started; its streams are in other hands.
    public init(adopting pid: pid_t, pipes: [UInt64]) throws(SystemError) {
        self.pipes = pipes
        let exit = cshims_pidfd_open(pid)
        guard exit >= 0 else { throw SystemError("pidfd_open") }
        self.pid = pid
        exitDescriptor = Descriptor(owning: exit)
        standardInput = nil
        standardOutput = nil
        standardError = nil
    }

    private init(
        pid: pid_t, input: consuming Pipe, output: consuming Pipe, error: consuming Pipe
    ) throws(SystemError) {
        let exit = cshims_pidfd_open(pid)
        guard exit >= 0 else {
            let failure = SystemError("pidfd_open")
            kill(-pid, SIGKILL)
            waitpid(pid, nil, 0)
            throw failure
        }
        self.pid = pid
        pipes = [
            Self.inode(of: input.readEnd.raw), Self.inode(of: output.readEnd.raw), Self.inode(of: error.readEnd.raw),
        ]
        exitDescriptor = Descriptor(owning: exit)
        standardInput = Self.keep(input.ends(), reading: false)
        standardOutput = Self.keep(output.ends(), reading: true)
        standardError = Self.keep(error.ends(), reading: true)
    }

    private static func inode(of fd: Int32) -> UInt64 {
        var status = stat()
        return fstat(fd, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    private static func keep(_ ends: (read: Int32, write: Int32), reading: Bool) -> ByteStream {
        close(reading ? ends.write : ends.read)
        let ours = reading ? ends.read : ends.write
        setNonBlocking(ours)
        return ByteStream(Descriptor(owning: ours))
    }

    /// Our ends of the three streams, to be taken once each.
    public mutating func takeInput() -> ByteStream? { standardInput.take() }
    public mutating func takeOutput() -> ByteStream? { standardOutput.take() }
    public mutating func takeError() -> ByteStream? { standardError.take() }

    /// To the program and all it started that stayed in its group.
    public borrowing func signalGroup(_ signal: Int32) { kill(-pid, signal) }

    /// Once, when `exitDescriptor` is readable. What remains of the group is killed first, while its id is still ours;
    /// what it wrote can still be read.
    public borrowing func reap() -> TerminationStatus {
        kill(-pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return TerminationStatus(waitStatus: status)
    }
}
