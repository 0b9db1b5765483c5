/// Parses Linux's text files about a process. Source: proc(5).
enum ProcessStatistics {
    /// A field of `/proc/<pid>/status` that is given in kilobytes, such as `VmRSS`. Returns bytes.
    static func bytes(of field: String, status: String) -> Int? {
        for line in status.split(separator: "\n") where line.hasPrefix(field + ":") {
            let words = line.dropFirst(field.count + 1).split { $0 == " " || $0 == "\t" }
            guard words.count == 2, words[1] == "kB", let kilobytes = Int(words[0]) else { return nil }
            return kilobytes * 1024
        }
        return nil
    }
}
