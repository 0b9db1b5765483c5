import CShims
import Glibc
import Posix

/// Control groups for agents, whose limits hold for an agent with all its processes.
///
/// They need a group of version 2 that a service manager has delegated to the bridge (`Delegate=yes`), in which the bridge
/// is the only process at its start. Without it, agents have the limits of `setrlimit`.
package struct AgentGroups: Sendable {
    /// The folder of the delegated group.
    private let root: String

    /// Files of the kernel have one page.
    private static let readLimitBytes = 256 << 10

    /// Moves this process to a group of its own, below the delegated one, and removes groups of agents that have ended.
    /// Nil if there is no delegated group, or if it has other processes or lacks a controller.
    ///
    /// - Parameter isDelegated: The service manager has delegated the group, also if the group has no mark of that.
    package static func prepare(isDelegated: Bool) -> AgentGroups? {
        guard let membership = read("/proc/self/cgroup"), let mounts = read("/proc/self/mountinfo"),
            let folder = ControlGroupFiles.folder(membership: membership, mounts: mounts)
        else { return nil }
        let root = ControlGroupFiles.root(of: folder)
        guard isWritable(root), isDelegated || isMarked(root) else { return nil }
        return AgentGroups(root: root, pid: getpid())
    }

    /// - Parameter pid: the bridge.
    init?(root: String, pid: pid_t) {
        self.root = root
        let available = Set(words(in: "cgroup.controllers"))
        guard ControlGroupFiles.controllers.allSatisfy(available.contains) else { return nil }
        let others = words(in: "cgroup.procs").filter { $0 != String(pid) }
        guard others.isEmpty else { return nil }
        if Set(words(in: "cgroup.subtree_control")).isSuperset(of: ControlGroupFiles.controllers) {
            removeEmptyGroups()
            return
        }
        let own = root + "/" + ControlGroupFiles.bridgeName
        guard mkdir(own, 0o755) == 0 || errno == EEXIST, Self.write(String(pid), to: own + "/cgroup.procs") else {
            return nil
        }
        let enabled = ControlGroupFiles.controllers.map { "+" + $0 }.joined(separator: " ")
        guard Self.write(enabled, to: root + "/cgroup.subtree_control") else {
            _ = Self.write(String(pid), to: root + "/cgroup.procs")
            rmdir(own)
            return nil
        }
    }

    private static func isWritable(_ root: String) -> Bool {
        ["", "/cgroup.procs", "/cgroup.subtree_control"].allSatisfy { access(root + $0, W_OK) == 0 }
    }

    /// A service manager marks the groups that it leaves to a service. Without a service manager, for example in a
    /// container, a group that can be written to is the process's own.
    private static func isMarked(_ root: String) -> Bool {
        guard access("/run/systemd/system", F_OK) == 0 else { return true }
        return cshims_is_delegated(root) != 0
    }

    /// Makes a group with these limits. First removes groups of agents whose last process ended after the agent did.
    ///
    /// The group exists until its last process has ended and ``removeEmptyGroups()`` is called.
    package func makeGroup(_ limits: ProcessLimits) throws(SystemError) -> AgentGroup {
        removeEmptyGroups()
        let folder = "\(root)/\(ControlGroupFiles.agentPrefix)\(RandomText.hexadecimal(byteCount: 8) ?? "0")"
        guard mkdir(folder, 0o755) == 0 else { throw SystemError("mkdir \(folder)") }
        for (file, value) in ControlGroupFiles.values(limits) {
            guard Self.write(value, to: "\(folder)/\(file)") else {
                let error = SystemError("write \(folder)/\(file)")
                rmdir(folder)
                throw error
            }
        }
        let fd = open(folder + "/cgroup.procs", O_WRONLY | O_CLOEXEC)
        guard fd >= 0 else {
            let error = SystemError("open \(folder)/cgroup.procs")
            rmdir(folder)
            throw error
        }
        return AgentGroup(Descriptor(owning: fd))
    }

    /// Removes the groups of agents without processes. The kernel refuses to remove the others.
    package func removeEmptyGroups() {
        for name in FolderNames.names(in: root) where name.hasPrefix(ControlGroupFiles.agentPrefix) {
            rmdir("\(root)/\(name)")
        }
    }

    private func words(in file: String) -> [String] {
        (Self.read("\(root)/\(file)") ?? "").split { $0 == " " || $0 == "\n" }.map(String.init)
    }

    private static func read(_ path: String) -> String? {
        let bytes = try? PrivateFile.read(path, limitBytes: readLimitBytes, isBelieved: false)
        return bytes.flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns false, with `errno`, if the kernel refuses the value.
    private static func write(_ value: String, to path: String) -> Bool {
        let fd = open(path, O_WRONLY | O_CLOEXEC)
        guard fd >= 0 else { return false }
        let text = Array(value.utf8)
        let count = Glibc.write(fd, text, text.count)
        let code = errno
        close(fd)
        errno = code
        return count == text.count
    }
}

/// A new control group that a program can join.
package final class AgentGroup {
    private let processes: Descriptor

    init(_ processes: consuming Descriptor) { self.processes = processes }

    /// `cgroup.procs` of the group. A process that writes `0` to it joins the group.
    package var raw: Int32 { processes.raw }
}
