import Glibc

/// One process at one moment. Its id can be reused later, but the id together with the start time is unique.
package struct ProcessSnapshot: Sendable, Equatable {
    package let pid: pid_t
    package let parent: pid_t
    package let group: pid_t
    /// The start time since boot, in the system's clock ticks of usually 10 ms.
    package let startTicks: Int64

    package init(pid: pid_t, parent: pid_t, group: pid_t, startTicks: Int64) {
        self.pid = pid
        self.parent = parent
        self.group = group
        self.startTicks = startTicks
    }

    /// Parses `/proc/PID/stat`. Source: proc_pid_stat(5).
    ///
    /// - Returns: Nil if the text is not such a line.
    package init?(statText: String) {
        // The program's name is in parentheses and can itself contain blanks and parentheses.
        guard let nameStart = statText.firstIndex(of: "("), let nameEnd = statText.lastIndex(of: ")"),
            let pid = pid_t(statText[..<nameStart].dropLast())
        else { return nil }
        let fields = statText[nameEnd...].dropFirst().split { $0 == " " || $0 == "\n" }
        // The state is the third field of the line and the first of these fields.
        guard fields.count > 19, let parent = pid_t(fields[1]), let group = pid_t(fields[2]),
            let start = Int64(fields[19])
        else { return nil }
        self.init(pid: pid, parent: parent, group: group, startTicks: start)
    }
}
