import Glibc

/// Reads information about processes from proc(5).
enum ProcessFolder {
    static var all: [pid_t] { entries("/proc").compactMap { pid_t($0) } }

    /// The NUL-separated words of `/proc/PID/cmdline` or `environ`; empty for a zombie.
    static func words(_ pid: pid_t, _ file: String) -> [[UInt8]] {
        (FileBytes.read("/proc/\(pid)/\(file)") ?? []).split(separator: 0).map(Array.init)
    }

    /// The children, including zombies.
    static func children(of pid: pid_t) -> [pid_t] {
        entries("/proc/\(pid)/task").flatMap { thread in
            let text = FileBytes.read("/proc/\(pid)/task/\(thread)/children") ?? []
            return String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// The state of a process, for example `S` for sleeping, and its processor time in clock ticks.
    static func usage(of pid: pid_t) -> (state: UInt8, ticks: Int)? {
        // The state follows the program's name, which is in parentheses and can contain spaces.
        guard let text = FileBytes.read("/proc/\(pid)/stat"), let name = text.lastIndex(of: UInt8(ascii: ")")) else {
            return nil
        }
        let fields = text[name...].split(separator: UInt8(ascii: " "))
        guard fields.count > 13, let state = fields[1].first else { return nil }
        let ticks = fields[12...13].compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        return (state, ticks.reduce(0, +))
    }

    static func descriptorCount(of pid: pid_t) -> Int { entries("/proc/\(pid)/fd").count }

    /// The descriptors' numbers and targets.
    static func descriptors(of pid: pid_t) -> [String] {
        entries("/proc/\(pid)/fd").compactMap { name in
            var target = [CChar](repeating: 0, count: 512)
            let count = readlink("/proc/\(pid)/fd/\(name)", &target, target.count)
            guard count > 0 else { return nil }
            return name + " " + String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    static func entries(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
