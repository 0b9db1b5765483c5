import Glibc
import Posix
import TestSupport
import Testing

@testable import AgentProcess

@Suite struct ControlGroupFilesTests {
    private static let mounts = """
        22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
        30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate
        """

    @Test(arguments: [
        ("0::/user.slice/a.service\n", "/sys/fs/cgroup/user.slice/a.service"), ("0::/\n", "/sys/fs/cgroup"),
        ("12:pids:/x\n0::/a\n", "/sys/fs/cgroup/a"),
    ])
    func theGroupIsBelowTheMount(membership: String, folder: String) {
        #expect(ControlGroupFiles.folder(membership: membership, mounts: Self.mounts) == folder)
    }

    @Test(arguments: ["", "12:pids:/x\n", "0::/../x\n", "0::/a (deleted)\n", "0::a\n"])
    func thereIsNoFolderForAnotherGroup(membership: String) {
        #expect(ControlGroupFiles.folder(membership: membership, mounts: Self.mounts) == nil)
    }

    @Test(arguments: [
        ("30 22 0:26 /docker/1 /sys/fs/cgroup rw - cgroup2 cgroup2 rw", "/sys/fs/cgroup/a"),
        ("30 22 0:26 /other /sys/fs/cgroup rw - cgroup2 cgroup2 rw", nil),
        ("30 22 0:26 / /sys\\040fs rw - cgroup2 cgroup2 rw", nil),
        ("30 22 0:26 / /sys/fs/cgroup rw - cgroup cgroup rw,pids", nil), ("x", nil), ("", nil),
        ("30 22 0:26 / /g rw shared:1 master:2 - cgroup2 c rw", "/g/docker/1/a"),
    ])
    func theMountCanShowAPart(mounts: String, folder: String?) {
        #expect(ControlGroupFiles.folder(membership: "0::/docker/1/a\n", mounts: mounts) == folder)
    }

    @Test func aBridgeThatHasMovedKeepsItsRoot() {
        #expect(ControlGroupFiles.root(of: "/g/a.service/bridge") == "/g/a.service")
        #expect(ControlGroupFiles.root(of: "/g/a.service") == "/g/a.service")
    }

    @Test func onlyTheGroupsLimitsAreWritten() {
        let limits = ProcessLimits(memoryBytes: 1 << 30, cpuSeconds: 9, processes: 50, openFiles: 8, processors: 2)
        #expect(
            ControlGroupFiles.values(limits).map { "\($0.file)=\($0.value)" }
                == ["memory.max=1073741824", "memory.oom.group=1", "pids.max=50", "cpu.max=200000 100000"])
        #expect(limits.outsideOfGroup == ProcessLimits(cpuSeconds: 9, openFiles: 8))
        #expect(limits.needsGroup && !limits.outsideOfGroup.needsGroup)
        #expect(ControlGroupFiles.values(ProcessLimits(processors: .max)).isEmpty)
    }
}

/// A folder of ordinary files in place of the kernel's.
@Suite struct AgentGroupsTests {
    private let folder = TemporaryFolder()

    private func write(_ text: String, _ name: String) throws {
        try PrivateFile.replace(folder.path + "/" + name, with: Array(text.utf8))
    }

    private func read(_ path: String) throws -> String? {
        try PrivateFile.read(path, limitBytes: 4096, isBelieved: false).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func aGroupWithOtherProcessesIsNotUsed() throws {
        try write("cpuset cpu io memory pids\n", "cgroup.controllers")
        try write("17\n18\n", "cgroup.procs")
        try write("cpu memory pids\n", "cgroup.subtree_control")
        #expect(AgentGroups(root: folder.path, pid: 17) == nil)
    }

    @Test func aGroupWithoutAControllerIsNotUsed() throws {
        try write("hugetlb\n", "cgroup.controllers")
        try write("", "cgroup.procs")
        try write("", "cgroup.subtree_control")
        #expect(AgentGroups(root: folder.path, pid: 17) == nil)
        #expect(access(folder.path + "/bridge", F_OK) != 0, "the bridge is not moved")
    }

    @Test func groupsOfEndedAgentsAreRemoved() throws {
        try write("cpu memory pids\n", "cgroup.controllers")
        try write("", "cgroup.procs")
        try write("cpu memory pids\n", "cgroup.subtree_control")
        for name in ["agent-ended", "agent-running", "bridge"] { mkdir(folder.path + "/" + name, 0o755) }
        try write("1", "agent-running/cgroup.procs")
        let groups = try #require(AgentGroups(root: folder.path, pid: 17))
        #expect(access(folder.path + "/agent-ended", F_OK) != 0)
        #expect(access(folder.path + "/agent-running", F_OK) == 0 && access(folder.path + "/bridge", F_OK) == 0)
        mkdir(folder.path + "/agent-killed", 0o755)
        // The kernel makes the files of a new group; here there are none.
        #expect(throws: SystemError.self) { try groups.makeGroup(ProcessLimits(processes: 5)) }
        #expect(access(folder.path + "/agent-killed", F_OK) != 0, "a new group removes it")
    }
}
