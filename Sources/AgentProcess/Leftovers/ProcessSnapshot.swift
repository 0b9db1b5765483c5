import Glibc

/// One process as the system saw it at a moment. Its id may be another's later; the id together with the time of its
/// start is nobody else's.
public struct ProcessSnapshot: Sendable, Equatable {
    public let pid: pid_t
    public let parent: pid_t
    public let group: pid_t
    /// Since the machine was started, in the system's clock ticks of usually 10 ms.
    public let startTicks: Int64

    public init(pid: pid_t, parent: pid_t, group: pid_t, startTicks: Int64) {
        self.pid = pid
        self.parent = parent
        self.group = group
        self.startTicks = startTicks
    }

    /// From `/proc/PID/stat`. Source: proc_pid_stat(5).
    ///
    /// - Returns: nil for what is no such line.
    public init?(statText: String) {
        // The program's name stands in parentheses, and may hold blanks and parentheses of its own.
        guard let nameStart = statText.firstIndex(of: "("), let nameEnd = statText.lastIndex(of: ")"),
            let pid = pid_t(statText[..<nameStart].dropLast())
        else { return nil }
        let fields = statText[nameEnd...].dropFirst().split { $0 == " " || $0 == "\n" }
        // The state is the third field of the line and the first of these.
        guard fields.count > 19, let parent = pid_t(fields[1]), let group = pid_t(fields[2]),
            let start = Int64(fields[19])
        else { return nil }
        self.init(pid: pid, parent: parent, group: group, startTicks: start)
    }
}
