import JSONScan
import SessionRecords
import Tinyvex

/// Converts the lines of an export to items of the log. Pure.
///
/// An error of the initialiser names the line in the text.
package struct ImportText: Equatable {
    package private(set) var items: [LogItem] = []
    package private(set) var updateCount: Int64 = 0
    package private(set) var entryCount: Int64 = 0
    /// The beginning of the first prompt.
    package private(set) var firstPrompt: String?
    /// The latest time, in milliseconds since 1970; nil without entries.
    package private(set) var lastTs: Int64?

    /// The log's own bound for a run.
    private static let runBytes = 256 << 10

    /// - Parameter sessionId: The id of the new session, which the lines get.
    package init(_ text: String, sessionId: String) throws(Rejection) {
        var number = 0
        for line in text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false) {
            number += 1
            if line.isEmpty { continue }
            do throws(ExportLine.Fault) {
                add(try ExportLine(Array(line)).renamed(to: sessionId))
            } catch {
                throw .invalidParams("line \(number) of text \(error.reason)")
            }
        }
    }

    private mutating func add(_ line: ExportLine) {
        switch line {
        case .head, .skipped: break
        case .update(let ts, let notification):
            note(ts)
            updateCount += 1
            append(notification, ts)
        case .entry(let ts, let kind, let data):
            note(ts)
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
        let line = notification + [0x0a]
        if case .run(let lines, let count, ts) = items.last, lines.count + line.count <= Self.runBytes {
            items[items.count - 1] = .run(lines: lines + line, count: count + 1, ts: ts)
        } else {
            items.append(.run(lines: line, count: 1, ts: ts))
        }
    }

    private static func prompt(_ data: [UInt8]) -> String? {
        let blocks = (try? JSONValue(validating: data))?["prompt"]?.elements ?? []
        return blocks.compactMap { $0["text"]?.stringValue }.first
    }
}
