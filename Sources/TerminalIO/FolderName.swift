import TerminalText

/// A session's folder as lists and messages show it. Pure.
package struct FolderName: Sendable {
    /// The user's home folder; nil if it is not that of the sessions.
    private let home: String?
    /// 40 columns: a longer path is cut at its beginning, because the end distinguishes projects.
    private static let limit = 40

    /// - Parameter home: Nil if the sessions are those of another machine.
    package init(home: String?) { self.home = home.flatMap { $0.hasPrefix("/") && $0 != "/" ? $0 : nil } }

    /// `~/src/shop`, or `…/projects/shop` for a long path.
    package func shown(_ path: String) -> String {
        let text = TerminalFilter.oneLine(withoutHome(path))
        guard Table.width(text) > Self.limit else { return text }
        let end = Self.end(of: text, columns: Self.limit - 1)
        // A whole component is easier to read.
        let start = end.firstIndex(of: "/").flatMap { $0 == end.indices.last ? nil : $0 } ?? end.startIndex
        return "…" + end[start...]
    }

    private static func end(of text: String, columns: Int) -> Substring {
        var rest = columns
        var start = text.endIndex
        while start > text.startIndex {
            let previous = text.index(before: start)
            rest -= Table.width(String(text[previous]))
            if rest < 0 { break }
            start = previous
        }
        return text[start...]
    }

    private func withoutHome(_ path: String) -> String {
        guard let home, path == home || path.hasPrefix(home + "/") else { return path }
        return "~" + path.dropFirst(home.count)
    }
}
