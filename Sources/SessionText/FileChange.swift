import JSONScan
import TextSearch

/// A change of one file, as a tool call reports it. Pure.
package struct FileChange: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        /// ACP version 1: the whole texts, or those of a part of the file. The old text of a new file is nil.
        case texts(old: String?, new: String)
        /// ACP version 2: a part of the output of `git diff`, for this file alone.
        case patch(String)
    }

    package let path: String
    private(set) var content: Content

    init(path: String, _ content: Content) { (self.path, self.content) = (path, content) }

    /// 1,000 files in one diff of version 2; further ones are left out.
    private static let fileLimit = 1_000

    /// The changes in one item of a call's content; empty if it is no diff, or has only paths.
    static func all(_ item: JSONValue) -> [FileChange] {
        guard item["type"]?.stringValue == "diff" else { return [] }
        if let new = item["newText"]?.stringValue, let path = item["path"]?.stringValue {
            return [FileChange(path: path, .texts(old: item["oldText"]?.stringValue, new: new))]
        }
        let format = item["patch"]?["format"]?.stringValue ?? "git_patch"
        let text = format == "git_patch" ? item["patch"]?["text"]?.stringValue : nil
        guard let text = text ?? item["diff"]?.stringValue else { return [] }
        return patches(text, item["changes"]?.elements.compactMap { $0["path"]?.stringValue } ?? [])
    }

    /// - Parameter paths: The whole paths of the changed files. They belong to the patches only if there are as many.
    private static func patches(_ text: String, _ paths: [String]) -> [FileChange] {
        var parts: [String] = []
        for line in text.lines {
            if line.begins(with: "diff --git ") || parts.isEmpty {
                parts.append(String(line))
            } else {
                parts[parts.count - 1] += "\n" + line
            }
        }
        parts = parts.filter { part in part.contains { !$0.isWhitespace } }
        return parts.prefix(fileLimit).enumerated().map { index, part in
            let own = paths.count == parts.count ? paths[index] : Self.path(inPatch: part)
            return FileChange(
                path: own ?? paths.first ?? "", .patch(part.utf8.last == UInt8(ascii: "\n") ? part : part + "\n"))
        }
    }

    private static func path(inPatch patch: String) -> String? {
        var old: String?
        for line in patch.filledLines.prefix(20) {
            if line.begins(with: "--- a/") { old = name(inHeader: line) }
            if line.begins(with: "+++ b/") { return name(inHeader: line) }
        }
        return old
    }

    /// The path after `+++ b/`. A patch with CR and LF has them also in its headers, and git ends a name with spaces by a tab.
    private static func name(inHeader line: Substring) -> String {
        var name = line.utf8.dropFirst(6)
        if name.last == UInt8(ascii: "\r") { name = name.dropLast() }
        if name.last == UInt8(ascii: "\t") { name = name.dropLast() }
        return String(Substring(name))
    }

    /// Joins a change that begins with the text with which this one ends: A to B and B to C become A to C.
    ///
    /// An agent can report parts of a file, so only texts that follow each other exactly are joined. An empty text is the
    /// beginning of nothing.
    ///
    /// - Returns: False if they do not follow each other.
    mutating func join(_ next: FileChange) -> Bool {
        guard case .texts(let old, let text) = content, case .texts(let start?, let end) = next.content,
            !text.isEmpty, text.utf8.elementsEqual(start.utf8)
        else { return false }
        content = .texts(old: old, new: end)
        return true
    }

    /// Whether the file has this path, or is below it.
    ///
    /// - Parameters:
    ///   - path: An absolute path, or one relative to the folder. `.` is the folder.
    ///   - folder: The session's folder; nil if it is not known.
    package func isAt(_ path: String, in folder: String?) -> Bool {
        var words = path.split(separator: "/").filter { $0 != "." }
        if !path.hasPrefix("/"), let folder { words = folder.split(separator: "/") + words }
        return self.path.split(separator: "/").starts(with: words)
    }

    /// Nothing was changed.
    var isEmpty: Bool {
        guard case .texts(let old, let new) = content else { return false }
        // `==` would take two forms of one letter in Unicode for the same text.
        return old.map { $0.utf8.elementsEqual(new.utf8) } ?? false
    }

    /// The bytes of the texts and the path, and about 100 bytes for the value itself.
    var byteCount: Int {
        let texts =
            switch content {
            case .texts(let old, let new): (old?.utf8.count ?? 0) + new.utf8.count
            case .patch(let text): text.utf8.count
            }
        return texts + path.utf8.count + 100
    }
}
