import CShims
import EventLoop
import Glibc

/// What proc(5) tells of processes, as far as this user may see it. What cannot be read is as if it were not there.
public enum ProcessTable {
    /// Every process, in no order.
    public static var all: [ProcessSnapshot] { names(in: "/proc").compactMap { pid_t($0).flatMap(snapshot) } }

    public static func snapshot(of pid: pid_t) -> ProcessSnapshot? {
        text("/proc/\(pid)/stat").flatMap(ProcessSnapshot.init(statText:))
    }

    /// Children, their children and so on. A child whose parent has ended belongs to the nearest subreaper.
    ///
    /// - Parameter spared: these are left out with all below them.
    public static func descendants(of pid: pid_t, sparing spared: Set<pid_t> = []) -> [ProcessSnapshot] {
        var found: [ProcessSnapshot] = []
        var seen = spared
        var waiting = [pid]
        while let parent = waiting.popLast() {
            for child in children(of: parent) where seen.insert(child).inserted {
                waiting.append(child)
                if let snapshot = snapshot(of: child) { found.append(snapshot) }
            }
        }
        return found
    }

    private static func children(of pid: pid_t) -> [pid_t] {
        names(in: "/proc/\(pid)/task").flatMap { thread in
            (text("/proc/\(pid)/task/\(thread)/children") ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// The inode numbers of the pipes that a process holds open; none of one that has exited.
    public static func pipes(of pid: pid_t) -> Set<UInt64> {
        Set(names(in: "/proc/\(pid)/fd").compactMap { pipe("/proc/\(pid)/fd/\($0)") })
    }

    /// `pipe:[12345]`
    private static func pipe(_ path: String) -> UInt64? {
        guard let target = link(path), target.hasPrefix("pipe:["), target.hasSuffix("]") else { return nil }
        return UInt64(target.dropFirst(6).dropLast())
    }

    /// Kills the process that was seen, and no other that has its id by now.
    public static func kill(_ process: ProcessSnapshot) {
        let raw = cshims_pidfd_open(process.pid)
        guard raw >= 0 else { return }
        let handle = Descriptor(owning: raw)
        guard snapshot(of: process.pid)?.startTicks == process.startTicks else { return }
        _ = cshims_pidfd_send_signal(handle.raw, SIGKILL)
    }

    // MARK: Reading

    static func text(_ path: String) -> String? {
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        return fd >= 0 ? text(of: Descriptor(owning: fd)) : nil
    }

    static func text(of file: consuming Descriptor) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(file.raw, &buffer, buffer.count)
            guard count > 0 else { return count == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
            bytes += buffer[..<count]
        }
    }

    static func link(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { chars in
                chars.baseAddress.map { readlink(path, $0, chars.count) } ?? -1
            }
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
