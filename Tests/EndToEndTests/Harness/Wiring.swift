import EventLoop
import Glibc
import Posix

/// The kind of standard streams that a program gets.
enum Wiring {
    case pipes
    /// A socket pair for input and another for output, like Node.js and Bun create for their children.
    case sockets
    /// One socket for both input and output. Half of it cannot be closed, only shut down.
    case oneSocket
    /// A pseudo-terminal in raw mode for input and output; errors go to a pipe.
    case terminal
    /// Regular files for input and output; errors go to a pipe.
    case files(input: String, output: String)
}

/// Both sides of a program's three standard streams.
struct WiredStreams {
    /// Descriptors 0, 1 and 2 of the program.
    var program: (input: Int32, output: Int32, error: Int32)
    /// The test's ends, each with its own descriptor: one to write and two to read. -1 if the stream is a file.
    var test: (input: Int32, output: Int32, error: Int32)

    init(_ wiring: Wiring) throws {
        let error = try Pipe().ends()
        switch wiring {
        case .pipes:
            let input = try Pipe().ends(), output = try Pipe().ends()
            program = (input.read, output.write, error.write)
            test = (input.write, output.read, error.read)
        case .sockets:
            let input = try Self.socketPair(), output = try Self.socketPair()
            program = (input.1, output.1, error.write)
            test = (input.0, output.0, error.read)
        case .oneSocket:
            let both = try Self.socketPair()
            program = (both.1, both.1, error.write)
            test = (try Self.duplicate(both.0), both.0, error.read)
        case .terminal:
            let terminal = try Self.terminal()
            program = (terminal.program, terminal.program, error.write)
            test = (try Self.duplicate(terminal.test), terminal.test, error.read)
        case .files(let input, let output):
            program = (
                open(input, O_RDONLY | O_CLOEXEC), open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644), error.write
            )
            test = (-1, -1, error.read)
        }
        for fd in [test.input, test.output, test.error] where fd >= 0 { setNonBlocking(fd) }
    }

    /// Call after the program has received its descriptors.
    func closeProgramEnds() {
        for fd in Set([program.input, program.output, program.error]) { close(fd) }
    }

    /// The input and output ends are closed separately, and another test can soon reuse a closed descriptor's number.
    private static func duplicate(_ fd: Int32) throws -> Int32 {
        let copy = fcntl(fd, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError("fcntl") }
        return copy
    }

    private static func socketPair() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError("socketpair") }
        return (ends[0], ends[1])
    }

    private static func terminal() throws -> (test: Int32, program: Int32) {
        // Replaces posix_openpt(3), unlockpt(3) and ptsname(3), which glibc declares for X/Open sources only.
        let unlockRequest: UInt = 0x4004_5431  // TIOCSPTLCK
        let numberRequest: UInt = 0x8004_5430  // TIOCGPTN
        let test = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var unlocked: Int32 = 0
        var number: UInt32 = 0
        guard test >= 0, ioctl(test, unlockRequest, &unlocked) == 0, ioctl(test, numberRequest, &number) == 0 else {
            throw SystemError("/dev/ptmx")
        }
        let name = "/dev/pts/\(number)"
        let program = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard program >= 0 else { throw SystemError("open of a terminal") }
        var modes = termios()
        tcgetattr(program, &modes)
        cfmakeraw(&modes)
        tcsetattr(program, TCSANOW, &modes)
        return (test, program)
    }
}
