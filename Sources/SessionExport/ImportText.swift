import JSONScan
import SessionRecords
import Tinyvex

/// Converts the lines of an export to items of the log. Pure.
///
/// An error of the initialiser names the line in the text.
package struct ImportText: Equatable {
    /// The lines of one session after each other.
    package struct Section: Equatable {
        /// The child session that begins with this section. Nil for lines of the session that the text before belongs to.
        package let child: Child?
        package fileprivate(set) var items: [LogItem] = []
        package fileprivate(set) var updateCount: Int64 = 0
        package fileprivate(set) var entryCount: Int64 = 0
        /// The beginning of the first prompt.
        package fileprivate(set) var firstPrompt: String?
        /// The latest time of an activity, in milliseconds since 1970. Nil if there is none. The exit of an agent is none.
        package fileprivate(set) var lastTs: Int64?

        fileprivate init(child: Child?) { self.child = child }
    }

    package struct Child: Equatable {
        package let ids: ImportIds.Child
        package let title: String?
        package let cwd: String?
    }

    /// At least one. Only the first one has no `child`.
    package private(set) var sections = [Section(child: nil)]

    /// - Parameter ids: The ids of the import's sessions, with the children that earlier texts began. They get the children
    ///   of this text.
    package init(_ text: String, ids: inout ImportIds) throws(Rejection) {
        var number = 0
        for line in text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false) {
            number += 1
            if line.isEmpty { continue }
            do throws(ExportLine.Fault) {
                try add(try ExportLine(Array(line)), &ids)
            } catch {
                throw .invalidParams("line \(number) of text \(error.reason)")
            }
        }
    }

    private mutating func add(_ line: ExportLine, _ ids: inout ImportIds) throws(ExportLine.Fault) {
        guard case .head(let head) = line else {
            return sections[sections.count - 1].add(line.renamed(by: ids))
        }
        guard let child = try ids.begin(head) else { return }
        sections.append(Section(child: Child(ids: child, title: head.title, cwd: head.cwd)))
    }
}

extension ImportText.Section {
    fileprivate mutating func add(_ line: ExportLine) {
        switch line {
        case .head, .skipped, .end: break
        case .update(let ts, let notification):
            note(ts)
            updateCount += 1
            append(notification, ts)
        case .entry(let ts, let kind, let data):
            if kind == .agentExit { entryCount += 1 } else { note(ts) }
            if kind == .prompt, firstPrompt == nil { firstPrompt = Self.prompt(data) }
            items.append(.entry(kind: kind.rawValue, body: data, ts: ts))
        }
    }

    private mutating func note(_ ts: Int64) {
        entryCount += 1
        lastTs = max(lastTs ?? 0, ts)
    }

    /// Adds an update to the last run, if both have one time.
    private mutating func append(_ notification: [UInt8], _ ts: Int64) {
        guard case .run(var lines, let count, ts) = items.last, lines.count + notification.count < Self.runBytes else {
            return items.append(.run(lines: notification + [0x0a], count: 1, ts: ts))
        }
        // The lines have one owner then, and are extended instead of copied.
        items.removeLast()
        lines += notification
        lines.append(0x0a)
        items.append(.run(lines: lines, count: count + 1, ts: ts))
    }

    /// The log's own bound for a run.
    private static var runBytes: Int { 256 << 10 }

    private static func prompt(_ data: [UInt8]) -> String? {
        let blocks = (try? JSONValue(validating: data))?["prompt"]?.elements ?? []
        return blocks.compactMap { $0["text"]?.stringValue }.first
    }
}
