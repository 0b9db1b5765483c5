/// The lines in which two texts differ, with the lines around them. Pure.
///
/// The time is linear in the texts' length plus a bounded amount of work. If more lines differ than that work can
/// compare, the stretch from the first to the last difference counts as removed and added as a whole.
package struct LineDifference: Sendable, Equatable {
    package enum Sign: Sendable {
        case same, removed, added

        /// The first character of the line in a unified diff.
        var mark: String {
            switch self {
            case .same: " "
            case .removed: "-"
            case .added: "+"
            }
        }
    }

    package enum Row: Sendable, Equatable {
        /// A line without its line feed. `isUnended` is true for a changed line that ends its text without a line feed.
        case line(Sign, String, isUnended: Bool)
        /// The number of unchanged lines between two changes.
        case gap(Int)
        /// The number of removed lines that are left out before added ones.
        case hidden(Int)
    }

    package private(set) var rows: [Row] = []
    package private(set) var removedCount = 0
    package private(set) var addedCount = 0
    /// The number of lines after the last row that the limit left out.
    package private(set) var hiddenCount = 0
    /// The number of lines before the first row, in both texts.
    package private(set) var leadCount = 0
    private var room: Int
    /// The last line of a text is also marked if it is unchanged.
    private let marksContext: Bool

    /// Three lines, as in a unified diff.
    private static let contextLines = 3

    /// - Parameter limit: The number of lines in ``rows``. If a change has more, its removed lines get half of the room,
    ///   so that the added lines are shown, too.
    package init(_ old: String, _ new: String, limit: Int) {
        self.init(old, new, room: max(0, limit), isWhole: false)
    }

    /// The whole difference, for a program. An unchanged line that ends the texts without a line feed is marked, too.
    package init(whole old: String, _ new: String) {
        self.init(old, new, room: .max, isWhole: true)
    }

    private init(_ old: String, _ new: String, room: Int, isWhole: Bool) {
        self.room = room
        marksContext = isWhole
        let window = DifferenceWindow(
            Array(old.utf8), Array(new.utf8), context: Self.contextLines, isWhole: isWhole)
        guard let window else { return }
        leadCount = window.linesBefore
        let changes = window.changes
        // Lines of the old text up to this one have a row.
        var end = 0
        for (index, change) in changes.enumerated() {
            let start = max(end, change.old.lowerBound - Self.contextLines)
            if index > 0, start > end, room > 0 { rows.append(.gap(start - end)) }
            add(.same, start..<change.old.lowerBound, of: window.old)
            add(change, of: window)
            let next = index + 1 < changes.count ? changes[index + 1].old.lowerBound : window.old.count
            end = min(change.old.upperBound + Self.contextLines, next)
            add(.same, change.old.upperBound..<end, of: window.old)
        }
    }

    private mutating func add(_ change: LineChange, of window: DifferenceWindow) {
        removedCount += change.old.count
        addedCount += change.new.count
        let count = min(change.old.count, max(room - change.new.count, room - room / 2))
        let cut = change.old.lowerBound + count
        add(.removed, change.old.lowerBound..<cut, of: window.old)
        let rest = change.old.upperBound - cut
        if rest > 0, room > 0 { rows.append(.hidden(rest)) } else { hiddenCount += rest }
        add(.added, change.new, of: window.new)
    }

    private mutating func add(_ sign: Sign, _ range: Range<Int>, of lines: LineList) {
        let count = min(range.count, room)
        room -= count
        hiddenCount += range.count - count
        for index in range.prefix(count) {
            let (text, isEnded) = lines.text(of: index)
            rows.append(.line(sign, text, isUnended: (marksContext || sign != .same) && !isEnded))
        }
    }

    /// The rows as lines that begin with a space, `-`, `+` or `\`. Empty if the texts are the same.
    package var lines: [String] {
        var lines: [String] = []
        for row in rows {
            switch row {
            case .line(let sign, let text, let isUnended):
                lines.append(sign.mark + text)
                if isUnended { lines.append(Self.unendedMark) }
            case .gap(let count): lines.append(" ⋮ \(count) unchanged")
            case .hidden(let count): lines.append("-… \(count) more removed")
            }
        }
        return hiddenCount == 0 ? lines : lines + ["… \(hiddenCount) more"]
    }

    /// The line of a unified diff after a line without a line feed.
    static let unendedMark = "\\ No newline at end of file"
}

/// Lines of the old text that are replaced by lines of the new one. One of the ranges can be empty.
private struct LineChange {
    var old: Range<Int>
    var new: Range<Int>
}

/// The stretches of two texts from their first to their last difference, with some lines around them.
private struct DifferenceWindow {
    let old: LineList
    let new: LineList
    /// The number of lines before the first difference, and after the last one.
    private var lead = 0
    private var trail = 0
    /// The number of lines before these stretches, in both texts.
    let linesBefore: Int

    /// Nil if the texts are the same.
    ///
    /// - Parameter isWhole: All lines can be read, however many there are.
    init?(_ old: [UInt8], _ new: [UInt8], context: Int, isWhole: Bool) {
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, old[start] == new[start] { start += 1 }
        if start == old.count, start == new.count { return nil }
        start = Self.lineStart(old, start)
        // The number of bytes after the last difference.
        var end = 0
        while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        while end > 0, !Self.isLineStart(old, old.count - end) || !Self.isLineStart(new, new.count - end) { end -= 1 }
        while lead < context, start > 0 {
            start = Self.lineStart(old, start - 1)
            lead += 1
        }
        while trail < context, end > 0 {
            let next = old[(old.count - end)...].firstIndex(of: 0x0a) ?? old.count - 1
            end = old.count - 1 - next
            trail += 1
        }
        linesBefore = old[..<start].count { $0 == 0x0a }
        let limit = isWhole ? Int.max - 1 : LineList.indexLimit
        self.old = LineList(old[start..<old.count - end], indexLimit: limit)
        self.new = LineList(new[start..<new.count - end], indexLimit: limit)
    }

    private static func isLineStart(_ text: [UInt8], _ index: Int) -> Bool { index == 0 || text[index - 1] == 0x0a }

    private static func lineStart(_ text: [UInt8], _ index: Int) -> Int {
        var start = index
        while !isLineStart(text, start) { start -= 1 }
        return start
    }

    /// 256 KiB in both stretches, the limit of the page's diff. A larger stretch is one change.
    private static let compareLimitBytes = 256 << 10

    var changes: [LineChange] {
        let whole = LineChange(old: lead..<old.count - trail, new: lead..<new.count - trail)
        guard old.isIndexed, new.isIndexed, old.bytes.count + new.bytes.count <= Self.compareLimitBytes else {
            return [whole]
        }
        var numbers: [ArraySlice<UInt8>: Int] = [:]
        func number(_ line: ArraySlice<UInt8>) -> Int {
            if let known = numbers[line] { return known }
            numbers[line] = numbers.count
            return numbers.count - 1
        }
        let (a, b) = (whole.old.map { number(old.line($0)) }, whole.new.map { number(new.line($0)) })
        var search = EditSearch(a, b)
        return search.changes()?.map { $0.moved(by: lead) } ?? [whole]
    }
}

extension LineChange {
    fileprivate func moved(by count: Int) -> LineChange {
        LineChange(
            old: old.lowerBound + count..<old.upperBound + count, new: new.lowerBound + count..<new.upperBound + count)
    }
}

/// A stretch of a text as lines.
private struct LineList {
    let bytes: ArraySlice<UInt8>
    let count: Int
    private let starts: [Int]
    let isIndexed: Bool
    /// 20,000 lines, more than any reader of a difference takes. Of a longer stretch, only these can be read.
    static let indexLimit = 20_000

    init(_ bytes: ArraySlice<UInt8>, indexLimit: Int) {
        var (starts, count) = ([Int](), 0)
        var start = bytes.startIndex
        while start < bytes.endIndex {
            if count <= indexLimit { starts.append(start) }
            count += 1
            start = (bytes[start...].firstIndex(of: 0x0a) ?? bytes.endIndex - 1) + 1
        }
        (self.bytes, self.count, self.starts) = (bytes, count, starts)
        isIndexed = count <= indexLimit
    }

    /// The line with its line feed; empty beyond the limit.
    func line(_ index: Int) -> ArraySlice<UInt8> {
        guard starts.indices.contains(index) else { return [] }
        let next = index + 1
        if next == count { return bytes[starts[index]...] }
        return next < starts.count ? bytes[starts[index]..<starts[next]] : []
    }

    func text(of index: Int) -> (String, isEnded: Bool) {
        let line = line(index)
        let isEnded = line.last == 0x0a
        return (String(decoding: isEnded ? line.dropLast() : line, as: UTF8.self), isEnded)
    }
}

/// The search for the least number of removed and added elements between two lists.
///
/// Source: E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1 (1986), section 4.
private struct EditSearch {
    private let a: [Int]
    private let b: [Int]
    /// The furthest index in `a` on each diagonal (index in `a` minus index in `b`); ``middle`` is diagonal 0.
    private var furthest: [Int]
    private let middle: Int
    /// `furthest` before each step.
    private var trace: [[Int]] = []

    /// 500 removed and added lines: 4 MB of trace.
    private static let editLimit = 500
    /// 500,000 comparisons: some milliseconds. The bridge's loop waits for them when it renders a recording.
    private static let workLimit = 500_000

    init(_ a: [Int], _ b: [Int]) {
        (self.a, self.b) = (a, b)
        middle = min(a.count + b.count, Self.editLimit) + 1
        furthest = Array(repeating: 0, count: 2 * middle + 1)
    }

    /// Nil if the limits do not allow an answer.
    mutating func changes() -> [LineChange]? {
        var work = 0
        for step in 0..<middle {
            trace.append(furthest)
            for diagonal in stride(from: -step, through: step, by: 2) {
                let start =
                    isAdded(diagonal, step, furthest)
                    ? furthest[middle + diagonal + 1] : furthest[middle + diagonal - 1] + 1
                var index = start
                while index < a.count, index - diagonal < b.count, a[index] == b[index - diagonal] { index += 1 }
                furthest[middle + diagonal] = index
                if index == a.count, index - diagonal == b.count { return path(step) }
                work += index - start + 1
            }
            guard work <= Self.workLimit else { return nil }
        }
        return nil
    }

    /// Whether a step to this diagonal adds an element of `b`, and does not remove one of `a`.
    private func isAdded(_ diagonal: Int, _ step: Int, _ furthest: [Int]) -> Bool {
        if abs(diagonal) == step { return diagonal == -step }
        return furthest[middle + diagonal - 1] < furthest[middle + diagonal + 1]
    }

    /// Follows the steps back from the end of both lists.
    private func path(_ stepCount: Int) -> [LineChange] {
        var changes: [LineChange] = []
        var diagonal = a.count - b.count
        for step in stride(from: stepCount, to: 0, by: -1) {
            let isAdded = isAdded(diagonal, step, trace[step])
            diagonal += isAdded ? 1 : -1
            let x = trace[step][middle + diagonal]
            let y = x - diagonal
            let (nextX, nextY) = isAdded ? (x, y + 1) : (x + 1, y)
            if let next = changes.last, next.old.lowerBound == nextX, next.new.lowerBound == nextY {
                changes[changes.count - 1] = LineChange(old: x..<next.old.upperBound, new: y..<next.new.upperBound)
            } else {
                changes.append(LineChange(old: x..<nextX, new: y..<nextY))
            }
        }
        return changes.reversed()
    }
}
