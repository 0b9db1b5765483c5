import Glibc
import Posix
import TerminalIO

/// This process's three streams, in a form that the daemon can read and write without blocking.
///
/// Pipes and sockets are passed to the daemon directly, which saves a hop. Using a terminal or a file can block, so a
/// pipe replaces each of them and a thread in this process copies the bytes.
final class PassedStreams {
    private(set) var descriptors: [Int32] = []
    private var pumps: [pthread_t] = []
    private var direct: [Int32] = []

    fileprivate struct Pump {
        let from: Int32
        let to: Int32
        let closesSource: Bool
    }

    init() throws {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            if let independent = Descriptor.independent(of: stream, writing: stream != STDIN_FILENO) {
                descriptors.append(independent.release())
                if stream != STDERR_FILENO { direct.append(stream) }
            } else {
                descriptors.append(try substitute(for: stream))
            }
        }
    }

    /// Call after the daemon has received the descriptors. The process at the other end must see a stream closed as
    /// soon as the daemon closes it.
    func closeDescriptors() {
        for fd in descriptors { close(fd) }
        descriptors = []
        guard !direct.isEmpty else { return }
        defer { direct = [] }
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        for stream in direct { dup2(nothing, stream) }
        close(nothing)
    }

    /// Waits until all of the agent's output has been copied. A second call has no effect.
    func finish() {
        closeDescriptors()
        for pump in pumps { pthread_join(pump, nil) }
        pumps = []
    }

    private func substitute(for stream: Int32) throws -> Int32 {
        let ends = try Pipe().ends()
        if stream == STDIN_FILENO {
            // `finish` does not wait for this thread, because it can be blocked reading a terminal.
            pthread_detach(try start(Pump(from: stream, to: ends.write, closesSource: false)))
            return ends.read
        }
        pumps.append(try start(Pump(from: ends.read, to: stream, closesSource: true)))
        return ends.write
    }

    private func start(_ pump: Pump) throws -> pthread_t {
        let box = Unmanaged.passRetained(Box(pump))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().pump.copyAll() }
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw SystemError("pthread_create", code: code)
        }
        return thread
    }

    private final class Box {
        let pump: Pump
        init(_ pump: Pump) { self.pump = pump }
    }
}

extension PassedStreams.Pump {
    fileprivate func copyAll() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(from, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0, (try? Console.transfer(Array(buffer.prefix(count)), to: to)) != nil else { break }
        }
        close(closesSource ? from : to)
    }
}
