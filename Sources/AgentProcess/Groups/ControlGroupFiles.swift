import Posix

/// The paths and values of control groups, version 2. Pure. Source: cgroups(7), the kernel's `cgroup-v2` document.
enum ControlGroupFiles {
    /// The group of the bridge itself, below the one that it has got: a group with controllers for its children can have
    /// no processes.
    static let bridgeName = "bridge"
    /// The beginning of the names of agents' groups.
    static let agentPrefix = "agent-"
    static let controllers = ["cpu", "memory", "pids"]
    /// The period of `cpu.max` in microseconds, the kernel's default.
    private static let periodMicroseconds = 100_000

    /// The folder of the group in which a process is; nil if there is no unified hierarchy, or if it is not mounted in a
    /// place that contains the group.
    ///
    /// - Parameters:
    ///   - membership: `/proc/PID/cgroup`, with the line `0::/user.slice/…`.
    ///   - mounts: `/proc/PID/mountinfo`.
    static func folder(membership: String, mounts: String) -> String? {
        guard let line = pieces(membership[...], "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
        let group = line.dropFirst("0::".count)
        // A group outside of the namespace, or a deleted one.
        guard !pieces(group, "/").contains(".."), !group.hasSuffix(" (deleted)") else { return nil }
        for mount in pieces(mounts[...], "\n") {
            let fields = pieces(mount, " ")
            guard let end = fields.firstIndex(of: "-"), end + 1 < fields.count, fields[end + 1] == "cgroup2", end >= 6
            else { continue }
            let (root, point) = (fields[3], fields[4])
            // Special characters are written as `\040`.
            guard !point.contains("\\"), !root.contains("\\") else { continue }
            if root == "/" { return joined(point, group) }
            if group == root || group.hasPrefix(root + "/") { return joined(point, group.dropFirst(root.count)) }
        }
        return nil
    }

    /// Splits bytes, because splitting characters takes ten times as long, and a bridge does this at each start.
    private static func pieces(_ text: Substring, _ separator: Unicode.Scalar) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: separator)).map(Substring.init)
    }

    private static func joined(_ point: Substring, _ group: Substring) -> String {
        group.isEmpty || group == "/" ? String(point) : String(point) + group
    }

    /// The group below which the bridge makes groups: its own, or the one above if it has moved itself already.
    static func root(of folder: String) -> String {
        let suffix = "/" + bridgeName
        return folder.hasSuffix(suffix) ? String(folder.dropLast(suffix.count)) : folder
    }

    /// The files of an agent's group, with their values.
    static func values(_ limits: ProcessLimits) -> [(file: String, value: String)] {
        var values: [(file: String, value: String)] = []
        if let bytes = limits.memoryBytes {
            values.append(("memory.max", String(bytes)))
            // Without one of its processes an agent is of no use.
            values.append(("memory.oom.group", "1"))
        }
        if let count = limits.processes { values.append(("pids.max", String(count))) }
        if let count = limits.processors {
            let (quota, isTooLarge) = count.multipliedReportingOverflow(by: periodMicroseconds)
            if !isTooLarge { values.append(("cpu.max", "\(quota) \(periodMicroseconds)")) }
        }
        return values
    }
}
