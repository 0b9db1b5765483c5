import Glibc
import TestSupport
import Testing

@testable import AgentProcess

@Suite struct ProcessSnapshotTests {
    @Test(arguments: [
        ("4711 (sleep) S 12 4700 4700 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 361190 5 6", 361190),
        ("4711 (a) b (c)) R 12 4700 4700 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 7\n", 7),
    ])
    func aProgramNameCanContainAnything(text: String, startTicks: Int64) {
        #expect(
            ProcessSnapshot(statText: text)
                == ProcessSnapshot(pid: 4711, parent: 12, group: 4700, startTicks: startTicks))
    }

    @Test(arguments: [
        "", "4711", "4711 (x)", "4711 (x) S 1 2 3", "x (x) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19",
    ])
    func anInvalidLineIsNotASnapshot(text: String) { #expect(ProcessSnapshot(statText: text) == nil) }

    @Test func theTestsOwnProcessIsFound() throws {
        let own = try #require(ProcessTable.snapshot(of: getpid()))
        #expect(own.pid == getpid() && own.parent == getppid() && own.group == getpgrp())
        #expect(own.startTicks > 0)
        #expect(ProcessTable.all.contains(own))
    }
}

@Suite struct AgentRecordTests {
    private let agents = [
        AgentRecord.Agent(pid: 100, startTicks: 50, pipes: [1, 2, 3]),
        AgentRecord.Agent(pid: 200, startTicks: 60, pipes: [4, 5, 6]),
    ]

    private var text: String {
        AgentRecord.head(scope: "boot pid:[1]", seenTicks: 55) + AgentRecord.start(of: agents[0])
            + AgentRecord.start(of: agents[1])
    }

    @Test func aRecordRoundTrips() throws {
        let record = try #require(AgentRecord(text: text))
        #expect(record.scope == "boot pid:[1]")
        #expect(record.seenTicks == 60, "the second agent started later than the time in the header")
        #expect(record.agents == agents)
        let later = try #require(AgentRecord(text: text + AgentRecord.end(of: agents[0])))
        #expect(later.agents == [agents[1]])
    }

    @Test func aTruncatedTextContainsNoFalseAgents() {
        for end in text.indices {
            let cut = AgentRecord(text: String(text[..<end]))
            #expect(cut?.agents.allSatisfy(agents.contains) != false)
        }
    }

    @Test(arguments: [
        "", "\n", "acpbridge-agents 2 boot pid:[1] 7\n", "acpbridge-agents 1 boot\n", "acpbridge-agents 1 x y\n",
    ])
    func otherTextIsNotARecord(text: String) { #expect(AgentRecord(text: text) == nil) }

    @Test(arguments: ["+ 1 5 1 2 3", "+ -7 5 1", "+ 0 5 1", "+ x 5 1", "* 100 5 1", "+ 100", "+ 99999999999 5 1"])
    func invalidLinesAreIgnored(line: String) throws {
        #expect(try #require(AgentRecord(text: text + line + "\n")).agents == agents)
    }

    @Test func theFileKeepsTheRunningAgents() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/agents"
        let file = AgentRecordFile(path: path, continuing: nil)
        #expect(file.sweptCount == 0)
        for agent in agents { file.started(agent) }
        file.ended(pid: 100)
        file.ended(pid: 300)
        let record = try #require(ProcessTable.text(path).flatMap(AgentRecord.init(text:)))
        #expect(record.agents == [agents[1]])
        #expect(record.seenTicks > 60)
    }

    /// The bridge kills the processes that the record names, so no other user must be able to write it.
    @Test func noProcessIsKilledForARecordThatOthersCanWrite() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/agents"
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        let pid = try DetachedProcess.start(
            SpawnRequest(command: ["sleep", "60"], directory: "/", environment: ["PATH=/usr/bin:/bin"]),
            streams: (null, null, null))
        let snapshot = try #require(ProcessTable.snapshot(of: pid))
        let file = AgentRecordFile(path: path, continuing: nil)
        file.started(AgentRecord.Agent(pid: pid, startTicks: snapshot.startTicks, pipes: []))
        let text = try #require(ProcessTable.text(path))
        #expect(chmod(path, 0o622) == 0)
        #expect(AgentRecordFile(path: path, continuing: nil).sweptCount == 0)
        _ = folder.file("agents", text)
        #expect(AgentRecordFile(path: path, continuing: nil).sweptCount == 1)
        waitpid(pid, nil, 0)
    }

    @Test(.timeLimit(.minutes(1))) func aRecordThatIsNoFileOrHasNoEndStopsNoStart() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/agents"
        #expect(mkfifo(path, 0o600) == 0)
        #expect(AgentRecordFile(path: path, continuing: nil).sweptCount == 0)
        #expect(truncate(path, 64 << 30) == 0)
        #expect(AgentRecordFile(path: path, continuing: nil).sweptCount == 0)
    }

    @Test func theFileStaysSmallWithManyStartsAndEnds() throws {
        let folder = TemporaryFolder()
        let file = AgentRecordFile(path: folder.path + "/agents", continuing: nil)
        file.started(agents[1])
        for pid in 1000..<pid_t(31_000) {
            file.started(AgentRecord.Agent(pid: pid, startTicks: 361_190, pipes: [88_123, 88_124, 88_125]))
            file.ended(pid: pid)
        }
        let text = try #require(ProcessTable.text(folder.path + "/agents"))
        #expect(text.utf8.count < 600 << 10)
        #expect(AgentRecord(text: text)?.agents == [agents[1]])
    }
}

/// Agent 100 was started at 50 with the pipes 1, 2 and 3. Its bridge was last known to run at 80.
@Suite struct LeftoverSearchTests {
    struct Row: CustomStringConvertible {
        let description: String
        /// Id, group, start time and pipes.
        let processes: [(pid: pid_t, group: pid_t, startTicks: Int64, pipes: Set<UInt64>)]
        let leftovers: [pid_t]

        init(
            _ description: String, _ processes: [(pid_t, pid_t, Int64, Set<UInt64>)], leftovers: [pid_t]
        ) {
            self.description = description
            self.processes = processes.map { (pid: $0.0, group: $0.1, startTicks: $0.2, pipes: $0.3) }
            self.leftovers = leftovers
        }
    }

    static let rows = [
        Row("the agent and its group", [(100, 100, 50, []), (101, 100, 95, [])], leftovers: [100, 101]),
        Row(
            "another process with its id, and that process's group", [(100, 100, 90, []), (101, 100, 95, [])],
            leftovers: []),
        Row("another process with its id in another group", [(100, 7, 90, [])], leftovers: []),
        Row("a group without the agent that started after the bridge's lifetime", [(101, 100, 90, [])], leftovers: []),
        Row(
            "a process from the bridge's lifetime, and therefore its group", [(101, 100, 70, []), (102, 100, 95, [])],
            leftovers: [101, 102]),
        Row(
            "a process with its pipe, and therefore its group", [(101, 100, 85, [9, 2]), (102, 100, 95, [])],
            leftovers: [101, 102]),
        Row(
            "a process with its pipe in a separate group", [(101, 101, 70, [3]), (102, 101, 71, [])], leftovers: [101]),
        Row("a daemon that has closed the pipes", [(101, 101, 70, [])], leftovers: []),
        Row(
            "an older process with pipes of those numbers", [(40, 40, 40, [1, 2, 3]), (41, 100, 41, [])], leftovers: []),
        Row("strangers", [(1, 1, 0, []), (300, 300, 60, [7]), (301, 300, 61, [8])], leftovers: []),
    ]

    @Test(arguments: rows) func unrelatedProcessesAreNotKilled(row: Row) {
        var record = AgentRecord(scope: "", seenTicks: 80)
        record.add(AgentRecord.Agent(pid: 100, startTicks: 50, pipes: [1, 2, 3]))
        let search = LeftoverSearch(record) { pid in row.processes.first { $0.pid == pid }?.pipes ?? [] }
        let found = search.leftovers(
            among: row.processes.map {
                ProcessSnapshot(pid: $0.pid, parent: 1, group: $0.group, startTicks: $0.startTicks)
            })
        #expect(found.map(\.pid) == row.leftovers)
    }
}
