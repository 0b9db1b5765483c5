/// Reads what Linux says of a process in text. Source: proc(5).
enum ProcessStatistics {
    /// User and system time in clock ticks, from `/proc/<pid>/stat`; nil when the text is not of that form.
    static func cpuTicks(stat: String) -> Int? {
        // The second field is the program's name in parentheses, and may hold spaces and parentheses itself.
        guard let nameEnd = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: nameEnd)...].split(separator: " ")
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return nil }
        return user + system
    }

    /// A field of `/proc/<pid>/status` that is counted in kilobytes, such as `VmRSS`, in bytes.
    static func bytes(of field: String, status: String) -> Int? {
        for line in status.split(separator: "\n") where line.hasPrefix(field + ":") {
            let words = line.dropFirst(field.count + 1).split { $0 == " " || $0 == "\t" }
            guard words.count == 2, words[1] == "kB", let kilobytes = Int(words[0]) else { return nil }
            return kilobytes * 1024
        }
        return nil
    }
}
