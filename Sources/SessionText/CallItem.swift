import Hashing
import JSONScan
import TerminalText

/// A part of a tool call's content as lines: a change of files, or a subagent. Pure.
struct CallItem: Sendable {
    /// Lines of all changes of one call together, about two screens. The header of each change is always shown.
    static let lineLimit = 60
    /// 20 changes. Of further ones, only the number is shown.
    private static let itemLimit = 20

    private(set) var lines: [DetailLine]
    /// The number of lines that the limit left out.
    private(set) var hiddenCount = 0
    /// A number for the content, to show it once. It protects from nothing: the agent chooses the change that it reports.
    let hash: UInt64

    private init(_ lines: [DetailLine], hash: UInt64) {
        self.lines = lines
        self.hash = hash
    }

    /// - Parameters:
    ///   - items: The content of a tool call.
    ///   - isShown: Returns true for the ``hash`` of an item that is left out.
    static func all(_ items: [JSONValue], except isShown: (UInt64) -> Bool) -> [CallItem] {
        var (all, room, further) = ([CallItem](), lineLimit, 0)
        for item in items {
            guard let type = item["type"]?.stringValue, type == "diff" || type == "session" else { continue }
            let hash = Self.hash(item)
            if isShown(hash) { continue }
            guard all.count < itemLimit else {
                further += 1
                continue
            }
            var new = CallItem(UpdateText.changes([item]).map { DetailLine("  \($0)") }, hash: hash)
            if type == "diff" { room = max(0, room - new.add(diff: item, room: room)) }
            all.append(new)
        }
        if further > 0 { all[all.count - 1].lines.append(DetailLine("  … \(further) more changes")) }
        return all
    }

    private static func hash(_ item: JSONValue) -> UInt64 {
        var hash = FNV1a()
        guard let new = item["newText"]?.stringBytes else { return FNV1a.hash(of: item.rawText) }
        for text in [item["path"]?.stringBytes, item["oldText"]?.stringBytes, new] {
            for byte in text ?? [] { hash.add(byte) }
            hash.add(text == nil ? 0xff : 0xfe)
        }
        return hash.value
    }

    // MARK: Changes

    /// - Returns: The number of lines below the header.
    private mutating func add(diff item: JSONValue, room: Int) -> Int {
        if let new = item["newText"]?.stringValue { return add(item, new, room) }
        let patch = item["patch"]
        let format = patch?["format"]?.stringValue ?? "git_patch"
        let text = format == "git_patch" ? patch?["text"]?.stringValue : nil
        guard let text = text ?? item["diff"]?.stringValue else { return 0 }
        let shown = PatchText(text, isOneFile: (item["changes"]?.elements.count ?? 1) == 1, limit: room)
        lines += shown.lines
        hiddenCount = shown.hiddenCount
        return shown.lines.count
    }

    /// A change in ACP version 1. The old text of a new file is missing or null.
    private mutating func add(_ item: JSONValue, _ new: String, _ room: Int) -> Int {
        let old = item["oldText"]?.stringValue
        let difference = LineDifference(old ?? "", new, limit: room)
        var counts = old == nil ? " (new file)" : ""
        if difference.addedCount > 0 { counts += " +\(difference.addedCount)" }
        if difference.removedCount > 0 { counts += " -\(difference.removedCount)" }
        lines = [DetailLine("  diff \(UpdateText.plain(item["path"]))\(counts)")]
        let shown = DifferenceLines(difference.rows).lines
        lines += shown
        hiddenCount = difference.hiddenCount
        return min(room, shown.count)
    }
}

/// The lines of a patch in the format of `git diff`. Pure.
private struct PatchText {
    private(set) var lines: [DetailLine] = []
    private(set) var hiddenCount = 0
    /// The rows of the hunk that is being read; nil before the first one of a file.
    private var rows: [LineDifference.Row]?

    /// - Parameter isOneFile: The lines before the first hunk are left out, because another line names the file.
    init(_ text: String, isOneFile: Bool, limit: Int) {
        var room = limit
        var hasHunk = false
        for line in text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false) {
            if line.starts(with: "diff --git ".utf8) { endHunk(continues: false) }
            let isHunk = line.starts(with: "@@".utf8)
            // The lines of a second file are shown, also if the agent reports another number of files.
            guard rows != nil || isHunk || hasHunk || !isOneFile, let first = line.first else { continue }
            hasHunk = hasHunk || isHunk
            // The mark takes a line of its own, if the row before has none yet.
            if first == UInt8(ascii: "\\"), !isLastRowOpen { continue }
            guard room > 0 else {
                hiddenCount += 1
                continue
            }
            room -= 1
            if first == UInt8(ascii: "\\") { endLastRow() } else { add(line, isHunk: isHunk) }
        }
        endHunk(continues: false)
    }

    private mutating func add(_ line: Substring.UTF8View, isHunk: Bool) {
        let text = String(decoding: line, as: UTF8.self)
        if isHunk {
            endHunk(continues: true)
            return lines.append(DetailLine("  " + DetailLine.shown(text), .cyan))
        }
        guard rows != nil else { return lines.append(DetailLine("  " + DetailLine.shown(text))) }
        let sign: LineDifference.Sign =
            switch line.first {
            case UInt8(ascii: "-"): .removed
            case UInt8(ascii: "+"): .added
            default: .same
            }
        rows?.append(.line(sign, String(text.unicodeScalars.dropFirst()), isUnended: false))
    }

    /// Whether the last row is a changed line without the mark.
    private var isLastRowOpen: Bool {
        guard case .line(let sign, _, false) = rows?.last else { return false }
        return sign != .same
    }

    /// The last line of a text without a line feed is marked with a line that begins with a backslash.
    private mutating func endLastRow() {
        guard case .line(let sign, let text, _) = rows?.popLast() else { return }
        rows?.append(.line(sign, text, isUnended: true))
    }

    private mutating func endHunk(continues: Bool) {
        lines += DifferenceLines(rows ?? []).lines
        rows = continues ? [] : nil
    }
}
