import Glibc

/// Facts about this process from the system.
package enum ProcessFacts {
    package static var pid: pid_t { getpid() }

    /// Memory in use, without kernel buffers. 0 if `/proc` cannot be read.
    package static var residentBytes: Int64 { residentBytes(of: pid) }

    package static func residentBytes(of pid: pid_t) -> Int64 {
        let fd = open("/proc/\(pid)/statm", O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else { return 0 }
        defer { close(fd) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = read(fd, &text, text.count)
        let fields = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int64(fields[1]) else { return 0 }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }
}
