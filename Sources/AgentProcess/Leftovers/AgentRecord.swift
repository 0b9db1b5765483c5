import Glibc

/// A bridge's record, as text, of the agents that it has started: a header line with the scope and the time until which
/// it was valid, and one line for each start and end of an agent.
///
///     acpbridge-agents 1 0f1e…-boot-id pid:[4026531836] 00000000000000361203
///     + 4711 361190 88123 88124 88125
///     - 4711 361190
///
/// Pure. A line that was truncated by a crash or written by another version is ignored.
package struct AgentRecord: Sendable, Equatable {
    /// A running agent.
    package struct Agent: Sendable, Hashable, Codable {
        package let pid: pid_t
        package let startTicks: Int64
        /// The inode numbers of its three standard streams.
        package let pipes: [UInt64]

        package init(pid: pid_t, startTicks: Int64, pipes: [UInt64]) {
            self.pid = pid
            self.startTicks = startTicks
            self.pipes = pipes
        }
    }

    /// The scope in which process ids are valid: a boot of the machine and a process namespace.
    package let scope: String
    /// The last time at which the bridge is known to have run, in the unit of ``ProcessSnapshot/startTicks``.
    package var seenTicks: Int64
    package private(set) var agents: [Agent] = []

    private static let mark = "acpbridge-agents 1 "
    private static let ticksDigits = 20

    package init(scope: String, seenTicks: Int64) {
        self.scope = scope
        self.seenTicks = seenTicks
    }

    /// - Returns: Nil if the first line was not written by this version.
    package init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        guard let head = lines.first, head.hasPrefix(Self.mark), let blank = head.lastIndex(of: " "),
            let seen = Int64(head[blank...].dropFirst())
        else { return nil }
        self.init(scope: String(head[..<blank].dropFirst(Self.mark.count)), seenTicks: seen)
        for line in lines.dropFirst() { apply(line) }
    }

    package mutating func add(_ agent: Agent) { agents.append(agent) }

    private mutating func apply(_ line: Substring) {
        let fields = line.split(separator: " ")
        guard fields.count >= 3, let pid = pid_t(fields[1]), pid > 1, let start = Int64(fields[2]) else { return }
        seenTicks = max(seenTicks, start)
        switch fields[0] {
        case "+":
            agents.append(Agent(pid: pid, startTicks: start, pipes: fields.dropFirst(3).compactMap { UInt64($0) }))
        case "-": agents.removeAll { $0.pid == pid && $0.startTicks == start }
        default: break
        }
    }

    // MARK: As text

    static func head(scope: String, seenTicks: Int64) -> String { mark + scope + " " + digits(seenTicks) + "\n" }

    static func start(of agent: Agent) -> String {
        (["+", "\(agent.pid)", "\(agent.startTicks)"] + agent.pipes.map(String.init)).joined(separator: " ") + "\n"
    }

    static func end(of agent: Agent) -> String { "- \(agent.pid) \(agent.startTicks)\n" }

    /// The text always has the same length, so that it can be overwritten in place.
    static func digits(_ ticks: Int64) -> String {
        let digits = String(max(0, ticks))
        return String(repeating: "0", count: ticksDigits - digits.count) + digits
    }
}
