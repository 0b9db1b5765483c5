import TerminalText
import TextSearch

/// A change of one file in the format of `git diff`. Pure.
///
/// Source: git-diff(1), "Generating patch text with -p".
package struct UnifiedDiff: Sendable {
    package enum Kind: Sendable { case header, hunk, same, removed, added }

    package struct Line: Equatable, Sendable {
        package let kind: Kind
        /// Without its line feed.
        package let text: String
    }

    /// The file's path, relative to the folder if it is below it.
    package let path: String
    package private(set) var lines: [Line] = []
    package private(set) var addedCount = 0
    package private(set) var removedCount = 0

    /// - Parameter folder: The session's folder, an absolute path; nil if it is not known.
    package init(_ change: FileChange, in folder: String?) {
        path = Self.path(change.path, in: folder)
        switch change.content {
        case .texts(let old, let new): add(old, new)
        case .patch(let text): add(patch: text)
        }
    }

    private static func path(_ path: String, in folder: String?) -> String {
        guard let folder, folder.hasPrefix("/") else { return path }
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : path
    }

    // MARK: Whole texts

    private mutating func add(_ old: String?, _ new: String) {
        let difference = LineDifference(whole: old ?? "", new)
        let (before, after) = (Self.name("a", path), Self.name("b", path))
        header("diff --git \(before) \(after)")
        if old == nil { header("new file mode 100644") }
        guard !difference.rows.isEmpty else { return }
        header("--- \(old == nil ? "/dev/null" : Self.ended(before))")
        header("+++ \(Self.ended(after))")
        var (oldLine, newLine) = (difference.leadCount, difference.leadCount)
        for hunk in Self.hunks(difference.rows) {
            oldLine += hunk.gap
            newLine += hunk.gap
            let (oldCount, newCount) = (hunk.count(except: .added), hunk.count(except: .removed))
            // A range without lines begins after the line before it.
            let oldRange = Self.range(oldCount == 0 ? oldLine : oldLine + 1, oldCount)
            let newRange = Self.range(newCount == 0 ? newLine : newLine + 1, newCount)
            lines.append(Line(kind: .hunk, text: "@@ -\(oldRange) +\(newRange) @@"))
            for row in hunk.rows { add(row) }
            oldLine += oldCount
            newLine += newCount
        }
    }

    private mutating func header(_ text: String) { lines.append(Line(kind: .header, text: text)) }

    private mutating func add(_ row: LineDifference.Row) {
        guard case .line(let sign, let text, let isUnended) = row else { return }
        add(sign, sign.mark + text)
        if isUnended { lines.append(Line(kind: .same, text: LineDifference.unendedMark)) }
    }

    private mutating func add(_ sign: LineDifference.Sign, _ line: String) {
        switch sign {
        case .same: lines.append(Line(kind: .same, text: line))
        case .removed:
            lines.append(Line(kind: .removed, text: line))
            removedCount += 1
        case .added:
            lines.append(Line(kind: .added, text: line))
            addedCount += 1
        }
    }

    private static func range(_ start: Int, _ count: Int) -> String { count == 1 ? "\(start)" : "\(start),\(count)" }

    private struct Hunk {
        /// The number of unchanged lines before it.
        let gap: Int
        var rows: [LineDifference.Row] = []

        func count(except other: LineDifference.Sign) -> Int {
            rows.count { row in
                guard case .line(let sign, _, _) = row else { return false }
                return sign != other
            }
        }
    }

    private static func hunks(_ rows: [LineDifference.Row]) -> [Hunk] {
        var hunks = [Hunk(gap: 0)]
        for row in rows {
            if case .gap(let count) = row {
                hunks.append(Hunk(gap: count))
            } else {
                hunks[hunks.count - 1].rows.append(row)
            }
        }
        return hunks
    }

    // MARK: Names

    /// `a/src/x.swift`. A name with special characters is quoted as git quotes it.
    private static func name(_ side: String, _ path: String) -> String {
        let whole = path.hasPrefix("/") ? side + path : "\(side)/\(path)"
        let isSpecial = whole.utf8.contains {
            $0 < 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
        }
        return isSpecial ? "\"\(whole.utf8.map(quoted).joined())\"" : whole
    }

    private static func quoted(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\""): "\\\""
        case UInt8(ascii: "\\"): "\\\\"
        case 0x0a: "\\n"
        case 0x09: "\\t"
        case 0x20..<0x7f: String(UnicodeScalar(byte))
        default: "\\" + [byte >> 6, byte >> 3 & 7, byte & 7].map(String.init).joined()
        }
    }

    /// Without the tab, a reader could take the part after a space for a time.
    private static func ended(_ name: String) -> String {
        name.utf8.contains(0x20) && !name.hasPrefix("\"") ? name + "\t" : name
    }

    // MARK: Patches

    /// The agent's own patch, unchanged. Without a header, it gets one.
    private mutating func add(patch: String) {
        let rows = patch.lines.dropLast()
        if !rows.contains(where: { $0.begins(with: "--- ") || $0.begins(with: "diff --git ") }) {
            header("--- \(Self.ended(Self.name("a", path)))")
            header("+++ \(Self.ended(Self.name("b", path)))")
        }
        var isInHunk = false
        for row in rows {
            let line = String(row)
            if line.begins(with: "@@") {
                isInHunk = true
                lines.append(Line(kind: .hunk, text: line))
            } else if isInHunk {
                add(line.begins(with: "-") ? .removed : line.begins(with: "+") ? .added : .same, line)
            } else {
                header(line)
            }
        }
    }
}

extension UnifiedDiff.Line {
    /// The line for a terminal.
    package func shown(hasColour: Bool) -> TerminalText {
        let line = TerminalText(lines: text)
        guard hasColour else { return line }
        return switch kind {
        case .header: line.styled(.bold)
        case .hunk: line.styled(.cyan)
        case .removed: line.styled(.red)
        case .added: line.styled(.green)
        case .same: line
        }
    }
}

/// The counts of the changed lines of each file, as `git diff --stat` shows them. Pure.
package struct DiffStatistics: Sendable {
    private struct File {
        let path: String
        var added = 0
        var removed = 0
    }

    private var files: [File] = []
    /// 40 signs, so that a line with a path fits a terminal.
    private static let signLimit = 40

    package init(_ diffs: [UnifiedDiff]) {
        for diff in diffs {
            if files.last?.path != diff.path { files.append(File(path: diff.path)) }
            files[files.count - 1].added += diff.addedCount
            files[files.count - 1].removed += diff.removedCount
        }
    }

    /// `src/x.swift | 12 ++++++++----`, and a last line with the sums.
    ///
    /// - Parameter columns: The width in columns of a text.
    package func lines(hasColour: Bool, columns: (String) -> Int) -> [TerminalText] {
        let names = files.map { TerminalText(oneLine: $0.path) }
        let widths = names.map { columns($0.text) }
        let counts = files.map { "\($0.added + $0.removed)" }
        let (width, countWidth) = (widths.max() ?? 0, counts.map(\.count).max() ?? 0)
        let most = files.map { $0.added + $0.removed }.max() ?? 0
        let rows = files.indices.map { index -> TerminalText in
            let name = names[index] + "\(Self.spaces(width - widths[index]))"
            let count = Self.spaces(countWidth - counts[index].count) + counts[index]
            let (added, removed) = Self.signs(files[index], most)
            let signs = hasColour ? added.styled(.green) + removed.styled(.red) : added + removed
            return " \(name) | \(count) " + signs
        }
        return rows + [sum]
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    /// A kind of line that occurs has one sign at least.
    private static func signs(_ file: File, _ most: Int) -> (added: TerminalText, removed: TerminalText) {
        func scaled(_ count: Int) -> Int {
            guard most > signLimit, count > 0 else { return count }
            return max(1, Int((Double(count) * Double(signLimit) / Double(most)).rounded(.down)))
        }
        func text(_ sign: String, _ count: Int) -> TerminalText { "\(String(repeating: sign, count: scaled(count)))" }
        return (text("+", file.added), text("-", file.removed))
    }

    private var sum: TerminalText {
        let added = files.reduce(0) { $0 + $1.added }
        let removed = files.reduce(0) { $0 + $1.removed }
        let parts = [
            "\(counted(files.count, "file")) changed",
            added == 0 ? nil : "\(counted(added, "insertion"))(+)",
            removed == 0 ? nil : "\(counted(removed, "deletion"))(-)",
        ]
        return " \(parts.compactMap(\.self).joined(separator: ", "))"
    }
}
