import EventLoop
import Glibc
import Posix

/// The file of an ``AgentRecord``. A bridge that was killed could not end the processes that its agents left, so the
/// next bridge does that with this file.
///
/// The file is not synced: a power cut also ends the processes. A failed write is not repeated, because an agent is not
/// refused for a missing record.
package final class AgentRecordFile {
    /// The number of processes of an earlier bridge's agents that were found and killed.
    package let sweptCount: Int
    private let path: String
    private let scope: String
    private var file: Descriptor?
    private var size = 0
    private var running: [pid_t: AgentRecord.Agent] = [:]

    /// Above this size, the file is rewritten: about ten thousand starts and ends of agents.
    private static let sizeLimitBytes = 512 << 10
    /// Far more than the bridge writes. A larger file is damaged, and its end is not read.
    private static let readLimitBytes = 4 << 20

    /// Call this only as the home folder's only bridge.
    ///
    /// - Parameter agents: The running agents of the program that this one replaced. Nil for a fresh start, which kills
    ///   the processes that the recorded agents left.
    package init(path: String, continuing agents: [AgentRecord.Agent]?) {
        self.path = path
        scope = Self.currentScope
        sweptCount = agents == nil ? Self.sweep(path, scope) : 0
        for agent in agents ?? [] { running[agent.pid] = agent }
        writeAnew()
    }

    /// Returns the number of killed processes.
    private static func sweep(_ path: String, _ scope: String) -> Int {
        guard let before = read(path).flatMap(AgentRecord.init(text:)), before.scope == scope else { return 0 }
        return sweep(before)
    }

    /// Returns nil if another user could have written the file, because the processes that it lists are killed.
    private static func read(_ path: String) -> String? {
        let bytes = try? PrivateFile.read(path, limitBytes: readLimitBytes, followsLink: false)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Sweeping

    /// The number of rounds of searching and killing. A killed process can have started another one just before.
    private static let rounds = 3

    private static func sweep(_ record: AgentRecord) -> Int {
        guard !record.agents.isEmpty else { return 0 }
        let search = LeftoverSearch(record, pipes: ProcessTable.pipes)
        var killed: Set<pid_t> = []
        for _ in 0..<rounds {
            let found = search.leftovers(among: ProcessTable.all.filter { $0.pid != getpid() })
                .filter { !killed.contains($0.pid) }
            if found.isEmpty { break }
            for process in found { ProcessTable.kill(process) }
            killed.formUnion(found.map(\.pid))
        }
        return killed.count
    }

    // MARK: Writing

    package func started(_ agent: AgentRecord.Agent) {
        running[agent.pid] = agent
        append(AgentRecord.start(of: agent))
        noteAlive()
    }

    package func ended(pid: pid_t) {
        guard let agent = running.removeValue(forKey: pid) else { return }
        append(AgentRecord.end(of: agent))
        noteAlive()
    }

    /// Records that the bridge is still running, so processes that run now were started in its lifetime.
    package func noteAlive() {
        guard let file = file?.raw, !running.isEmpty else { return }
        let digits = Array(AgentRecord.digits(Self.nowTicks).utf8)
        let place = AgentRecord.head(scope: scope, seenTicks: 0).utf8.count - 1 - digits.count
        pwrite(file, digits, digits.count, off_t(place))
    }

    private func append(_ line: String) {
        if size > Self.sizeLimitBytes { return writeAnew() }
        let bytes = Array(line.utf8)
        guard let file = file?.raw, pwrite(file, bytes, bytes.count, off_t(size)) == bytes.count else { return }
        size += bytes.count
    }

    private func writeAnew() {
        let temporary = path + ".new"
        unlink(temporary)
        let fd = Glibc.open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard fd >= 0 else { return }
        let fresh = Descriptor(owning: fd)
        var text = AgentRecord.head(scope: scope, seenTicks: Self.nowTicks)
        for agent in running.values { text += AgentRecord.start(of: agent) }
        let bytes = Array(text.utf8)
        guard write(fresh.raw, bytes, bytes.count) == bytes.count, rename(temporary, path) == 0 else { return }
        size = bytes.count
        file = consume fresh
    }

    // MARK: Scope and time

    private static var currentScope: String {
        let boot = ProcessTable.text("/proc/sys/kernel/random/boot_id")?.prefix { $0 != "\n" } ?? "-"
        return "\(boot) \(ProcessTable.link("/proc/self/ns/pid") ?? "-")"
    }

    private static var nowTicks: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        let rate = Int64(sysconf(Int32(_SC_CLK_TCK)))
        return Int64(now.tv_sec) * rate + Int64(now.tv_nsec) * rate / 1_000_000_000
    }
}
