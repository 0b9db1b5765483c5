/// The lines in which two texts differ, as one block with context. Pure.
enum LineDifference {
    private static let contextLines = 3

    /// Lines that begin with a space, `-` or `+`, as in a unified diff. Empty if the texts are the same.
    static func lines(_ old: String, _ new: String) -> [String] {
        let old = old.split(separator: "\n", omittingEmptySubsequences: false)
        let new = new.split(separator: "\n", omittingEmptySubsequences: false)
        if old == new { return [] }
        let limit = min(old.count, new.count)
        let start = (0..<limit).first { old[$0] != new[$0] } ?? limit
        let end = (0..<limit - start).first { old[old.count - 1 - $0] != new[new.count - 1 - $0] } ?? limit - start
        let before = old[max(0, start - contextLines)..<start]
        let after = old[(old.count - end)...].prefix(contextLines)
        return before.map { " \($0)" } + old[start..<old.count - end].map { "-\($0)" }
            + new[start..<new.count - end].map { "+\($0)" } + after.map { " \($0)" }
    }
}
