import Glibc

/// The kernel's figures of this process, for monitoring. A figure that cannot be read is nil.
package struct ProcessFigures: Sendable, Equatable {
    /// The processor time of all threads, in nanoseconds.
    package let processorTime: Int64?
    package let residentBytes: Int64?
    package let virtualBytes: Int64?
    /// Open descriptors.
    package let openDescriptors: Int64?
    /// The soft limit on descriptors.
    package let descriptorLimit: Int64?
    /// When the process started, in nanoseconds since 1970, to 10 ms. An upgrade in place does not change it.
    package let startTime: Int64?
    package let threads: Int64?

    package static func read() -> ProcessFigures {
        let fields = statFields()
        var time = timespec()
        let hasTime = clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0
        return ProcessFigures(
            processorTime: hasTime ? Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) : nil,
            residentBytes: field(24, fields).map { $0 * Int64(sysconf(Int32(_SC_PAGESIZE))) },
            virtualBytes: field(23, fields), openDescriptors: openDescriptorCount(),
            descriptorLimit: currentDescriptorLimit(),
            startTime: field(22, fields).flatMap(startTime(ticks:)), threads: field(20, fields))
    }

    /// The soft limit on descriptors; nil if it cannot be read.
    package static func currentDescriptorLimit() -> Int64? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int64(clamping: limit.rlim_cur)
    }

    /// The fields of `/proc/self/stat` from the third one on. The second, the program's name in parentheses, can contain
    /// spaces and parentheses. Source: proc_pid_stat(5).
    private static func statFields() -> [Int64?] {
        let text = contents(of: "/proc/self/stat", limitBytes: 4_096)
        guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return [] }
        return text[text.index(after: end)...].split(separator: 0x20).map { Int64(String(decoding: $0, as: UTF8.self)) }
    }

    /// - Parameter number: The number of the field in proc_pid_stat(5), counted from 1.
    private static func field(_ number: Int, _ fields: [Int64?]) -> Int64? {
        fields.indices.contains(number - 3) ? fields[number - 3] : nil
    }

    /// - Parameter ticks: Clock ticks since the machine started.
    private static func startTime(ticks: Int64) -> Int64? {
        let perSecond = Int64(sysconf(Int32(_SC_CLK_TCK)))
        var (boot, wall) = (timespec(), timespec())
        guard perSecond > 0, clock_gettime(CLOCK_BOOTTIME, &boot) == 0, clock_gettime(CLOCK_REALTIME, &wall) == 0 else {
            return nil
        }
        let now = Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec)
        let uptime = Int64(boot.tv_sec) * 1_000_000_000 + Int64(boot.tv_nsec)
        let start = now - uptime + ticks * (1_000_000_000 / perSecond)
        return start - start % 10_000_000
    }

    private static func openDescriptorCount() -> Int64? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count: Int64 = 0
        while readdir(folder) != nil { count += 1 }
        // `.`, `..`, and the descriptor of this folder.
        return max(0, count - 3)
    }

    static func contents(of path: String, limitBytes: Int) -> [UInt8] {
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else { return [] }
        defer { close(fd) }
        var bytes = [UInt8](repeating: 0, count: limitBytes)
        let count = Glibc.read(fd, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }
}
