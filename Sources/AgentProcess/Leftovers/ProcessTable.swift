import CShims
import EventLoop
import Glibc
import Posix

/// The processes in proc(5) that this user can see. A process that cannot be read is treated as absent.
package enum ProcessTable {
    /// All processes, in no particular order.
    package static var all: [ProcessSnapshot] {
        FolderNames.names(in: "/proc").compactMap { pid_t($0).flatMap(snapshot) }
    }

    package static func snapshot(of pid: pid_t) -> ProcessSnapshot? {
        text("/proc/\(pid)/stat").flatMap(ProcessSnapshot.init(statText:))
    }

    /// Returns the process's children, their children and so on. If a child's parent has ended, the child belongs to
    /// the nearest subreaper.
    ///
    /// - Parameter spared: These processes and all of their descendants are left out.
    package static func descendants(of pid: pid_t, sparing spared: Set<pid_t> = []) -> [ProcessSnapshot] {
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
        FolderNames.names(in: "/proc/\(pid)/task").flatMap { thread in
            (text("/proc/\(pid)/task/\(thread)/children") ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// Returns the inode numbers of the pipes that a process holds open. Empty for a process that has exited.
    package static func pipes(of pid: pid_t) -> Set<UInt64> {
        Set(FolderNames.names(in: "/proc/\(pid)/fd").compactMap { pipe("/proc/\(pid)/fd/\($0)") })
    }

    /// Returns the inode number in a link such as `pipe:[12345]`.
    private static func pipe(_ path: String) -> UInt64? {
        guard let target = link(path), target.hasPrefix("pipe:["), target.hasSuffix("]") else { return nil }
        return UInt64(target.dropFirst(6).dropLast())
    }

    /// Kills the process in the snapshot, and never another process that has reused its id.
    package static func kill(_ process: ProcessSnapshot) {
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

    private static func text(of file: consuming Descriptor) -> String? {
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
}
