import EventLoop
import Glibc
import Posix

/// A process's resource usage, seen from outside.
package struct ProcessProbe {
    private let pid: pid_t

    package init(pid: pid_t) { self.pid = pid }

    /// User and system time of all its threads so far, without children, to the nanosecond.
    package func cpuTime() throws -> Duration {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            throw BenchFailure("the CPU time of process \(pid) cannot be read")
        }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Returns when the process has used no more than 1 ms in a tenth of a second, ten seconds later at most: then its work
    /// in the background is done, or does not end.
    package func settle() throws {
        let deadline = Instant.now + .seconds(10)
        var before = try cpuTime()
        while Instant.now < deadline {
            try Interruption.check()
            poll(nil, 0, 100)
            let now = try cpuTime()
            if now - before <= .milliseconds(1) { return }
            before = now
        }
    }

    package func residentBytes() throws -> Int {
        guard let bytes = ProcessStatistics.bytes(of: "VmRSS", status: try text("status")) else {
            throw BenchFailure("/proc/\(pid)/status has no VmRSS")
        }
        return bytes
    }

    private func text(_ name: String) throws -> String { try SmallFile.text("/proc/\(pid)/\(name)") }
}

/// A file that fits into one read: a file in /proc, or a token.
package enum SmallFile {
    private static let limitBytes = 16 << 10

    package static func text(_ path: String) throws -> String {
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else { throw SystemError("open \(path)") }
        let file = Descriptor(owning: fd)
        var buffer = [UInt8](repeating: 0, count: limitBytes)
        let count = read(file.raw, &buffer, buffer.count)
        guard count >= 0 else { throw SystemError("read \(path)") }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
