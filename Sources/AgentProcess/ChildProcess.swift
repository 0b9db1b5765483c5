import CShims
import EventLoop
import Glibc
import Posix

/// The way in which a process ended.
package enum TerminationStatus: Equatable, Sendable {
    case exited(code: Int32)
    case signaled(signal: Int32)

    /// - Parameter waitStatus: as waitpid(2) stores it.
    package init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .exited(code: waitStatus >> 8 & 0xff) : .signaled(signal: signal)
    }
}

/// A command with its directory and environment.
package struct SpawnRequest: Sendable {
    package var command: [SystemString]
    /// An absolute path.
    package var directory: SystemString
    /// The complete environment as `NAME=value` strings. Nothing is inherited.
    package var environment: [SystemString]
    /// The umask, or nil to inherit ours.
    package var fileModeMask: Int32?
    /// The soft limit of open files, or nil to inherit ours.
    package var openFilesLimit: Int?
    /// The soft limit of core files; nil to inherit ours.
    package var coreLimit: CoreDumps.Limit?
    package var limits = ProcessLimits()
    /// `cgroup.procs` of the control group that the program joins; the caller keeps it. Nil: the group of this process.
    package var group: Int32?
    /// Whether the program is killed when the thread that started it ends.
    package var diesWithParent = true

    package init(command: [SystemString], directory: SystemString, environment: [SystemString]) {
        self.command = command
        self.directory = directory
        self.environment = environment
    }
}

/// A running program in its own session and process group, with pipes on its three standard streams.
///
/// It receives SIGKILL when this process ends. Its id cannot be reused before `reap()`.
package struct ChildProcess: ~Copyable {
    package let pid: pid_t
    /// Becomes readable when the program has ended.
    package let exitDescriptor: Descriptor
    /// The inode numbers of the pipes, which identify other processes that hold them. Input, output, error.
    package let pipes: [UInt64]
    private var standardInput: ByteStream?
    private var standardOutput: ByteStream?
    private var standardError: ByteStream?

    /// The capacity of the agent's output pipe. 1 MiB lets a burst through without a wake-up per 64 KiB.
    private static let outputPipeBytes = 1 << 20

    /// Our ends of the pipes are non-blocking. Call this on the loop's thread, because the death signal is bound to the
    /// thread.
    package static func spawn(_ request: SpawnRequest) throws(SpawnError) -> ChildProcess {
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

    /// A child of this process that an earlier program in this process started. Another object owns its streams.
    package init(adopting pid: pid_t, pipes: [UInt64]) throws(SystemError) {
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

    /// Our end of the program's input. It can be taken once, like the ends of the other two streams.
    package mutating func takeInput() -> ByteStream? { standardInput.take() }
    package mutating func takeOutput() -> ByteStream? { standardOutput.take() }
    package mutating func takeError() -> ByteStream? { standardError.take() }

    /// Sends a signal to the program and to all of its descendants that stayed in its group.
    package borrowing func signalGroup(_ signal: Int32) { kill(-pid, signal) }

    /// Call once, when `exitDescriptor` is readable. Kills the rest of the group first, while its id is still reserved.
    /// The group's remaining output can still be read.
    package borrowing func reap() -> TerminationStatus {
        kill(-pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return TerminationStatus(waitStatus: status)
    }
}
