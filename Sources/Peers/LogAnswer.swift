import JSONScan
import SessionRecords
import Tinyvex

/// The answer to a ``LogRequest``: the value of the action `log:read`. Pure.
///
/// Lines of agents are JSON strings, so that the peer gets their exact bytes, at any depth of nesting.
package enum LogAnswer: Sendable, Equatable {
    case identity(logId: UInt32, bridge: String)
    /// Nothing has changed since the count of changes in the request.
    case unchanged(changes: Int64)
    case list([PeerRecord], hasMore: Bool, changes: Int64)
    /// The records that were found; none if there is no such session.
    ///
    /// - `takenBackFrom`: the first update that a later epoch than the one in the request has taken back or will store.
    case records([PeerRecord], takenBackFrom: Int64?)
    case page(UpdatePage)
    case timeline(TimelinePage)
    case updates(HistoryPage)
    case position(Position)
    case usage(UsageByDay)

    package func json() -> [UInt8] { JSONWriter.object { write(to: &$0) } }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .identity(let logId, let bridge):
            writer.member("log", LogName.text(logId))
            writer.member("bridge", bridge)
        case .unchanged(let changes): writer.member("changes", changes)
        case .list(let records, let hasMore, let changes):
            writer.member("changes", changes)
            writer.member("more", hasMore)
            write(records, to: &writer)
        case .records(let records, let takenBackFrom):
            write(records, to: &writer)
            writer.member("takenBackFrom", ifPresent: takenBackFrom)
        case .page(let page):
            writer.member("first", page.first)
            writer.member("count", page.count)
            writer.member("lines", String(decoding: page.lines, as: UTF8.self))
            writer.member("atEnd", page.isAtEnd)
        case .timeline(let page):
            writer.memberArray("items") { writer in
                for item in page.items { writer.object { item.write(to: &$0) } }
            }
            writer.member("atEnd", page.isAtEnd)
        case .updates(let page):
            writer.memberArray("updates") { writer in
                for update in page.updates { writer.object { update.write(to: &$0) } }
            }
            writer.member("nextSeq", ifPresent: page.nextSeq)
        case .usage(let usage): usage.write(to: &writer)
        case .position(.valid): writer.member("valid", true)
        case .position(.resetTo(let first)): writer.member("resetTo", first)
        }
    }

    private func write(_ records: [PeerRecord], to writer: inout JSONWriter) {
        writer.memberArray("sessions") { writer in
            for record in records { writer.object { record.write(to: &$0) } }
        }
    }
}

// MARK: Reading

extension LogAnswer {
    /// The answer without activities after this time, in milliseconds since 1970. A session with one would stay on top of all
    /// lists, whatever the peer's clock or program is.
    package func bounded(to latest: Int64) -> LogAnswer {
        switch self {
        case .list(let records, let hasMore, let changes):
            .list(records.map { $0.bounded(to: latest) }, hasMore: hasMore, changes: changes)
        case .records(let records, let takenBackFrom):
            .records(records.map { $0.bounded(to: latest) }, takenBackFrom: takenBackFrom)
        default: self
        }
    }

    /// Nil if the value is no answer to the request. The peer is another program, so its numbers are checked.
    ///
    /// - Parameter logId: the peer's log; ignored for ``LogRequest/identity``.
    package init?(_ value: JSONValue, to request: LogRequest, log logId: UInt32) {
        switch request {
        case .identity:
            guard let id = value["log"]?.stringValue.flatMap({ LogName.id($0) }),
                let bridge = value["bridge"]?.stringValue
            else { return nil }
            self = .identity(logId: id, bridge: bridge)
        case .list:
            guard let changes = value["changes"]?.int64Value else { return nil }
            guard let sessions = value["sessions"] else {
                self = .unchanged(changes: changes)
                return
            }
            self = .list(
                Self.records(sessions, log: logId), hasMore: value["more"]?.boolValue ?? false, changes: changes)
        case .find, .incarnation, .change:
            guard let sessions = value["sessions"], sessions.kind == .array,
                let lost = value.optionalUpdateNumber("takenBackFrom")
            else { return nil }
            self = .records(Self.records(sessions, log: logId), takenBackFrom: lost)
        case .page(_, let from, _):
            guard let page = UpdatePage(value, from: from) else { return nil }
            self = .page(page)
        case .timeline(_, let after, _, let maxBytes):
            guard let page = TimelinePage(value, after: after, maxBytes: maxBytes) else { return nil }
            self = .timeline(page)
        case .updates:
            let updates = value["updates"]?.elements.map { HistoryPage.Update($0) }
            guard let updates, !updates.contains(nil), let next = value.optionalUpdateNumber("nextSeq") else {
                return nil
            }
            self = .updates(HistoryPage(updates: updates.compactMap(\.self), nextSeq: next))
        case .usage(let starts):
            guard let usage = UsageByDay(value, starts: starts) else { return nil }
            self = .usage(usage)
        case .position:
            if value["valid"]?.boolValue == true {
                self = .position(.valid)
            } else if let first = value["resetTo"]?.updateNumber, first > 0 {
                self = .position(.resetTo(first: first))
            } else {
                return nil
            }
        }
    }

    /// Rows that do not fit are left out, as in a hub's lists.
    private static func records(_ sessions: JSONValue, log logId: UInt32) -> [PeerRecord] {
        sessions.elements.prefix(LogRequest.listLimit).compactMap { PeerRecord($0, log: logId) }
    }

    /// The answer as the log's own; nil for an answer that the log does not give.
    ///
    /// - Parameter record: Converts a record to the one that this bridge lists.
    package func answer(_ record: (PeerRecord) -> SessionRecord) -> Answer? {
        switch self {
        case .identity, .unchanged, .list, .usage: nil
        case .records(let records, _): .sessions(records.map(record))
        case .page(let page): .page(page)
        case .timeline(let page): .timeline(page)
        case .updates(let page): .updates(page)
        case .position(let position): .position(position)
        }
    }
}

extension UpdatePage {
    /// Nil if the page does not have the declared number of lines, or begins before `from`.
    fileprivate init?(_ value: JSONValue, from: Int64) {
        guard let first = value["first"]?.updateNumber, first >= from,
            let count = value["count"]?.int64Value, count >= 0,
            let lines = value["lines"]?.stringBytes, SessionUpdateLines.count(lines).map(Int64.init) == count
        else { return nil }
        self.init(first: first, count: Int(count), lines: lines, isAtEnd: value["atEnd"]?.boolValue ?? false)
    }
}

extension TimelinePage {
    /// Nil if the items' numbers do not rise by one, or begin before `after + 1`.
    fileprivate init?(_ value: JSONValue, after: Int64, maxBytes: Int) {
        // A log counts 64 bytes and more for each item. Some more are of no harm.
        guard let elements = value["items"]?.elements, elements.count <= max(0, maxBytes) / 64 + 64 else { return nil }
        let items = elements.compactMap { TimelineItem($0) }
        guard items.count == elements.count else { return nil }
        if let first = items.first {
            guard first.n > after else { return nil }
            for (index, item) in items.enumerated() where item.n != first.n + Int64(index) { return nil }
        }
        self.init(items: items, isAtEnd: value["atEnd"]?.boolValue ?? false)
    }
}

extension TimelineItem {
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .update(let n, let seq, let ts, let line):
            writer.member("n", n)
            writer.member("seq", seq)
            writer.member("ts", ts)
            writer.member("line", String(decoding: line, as: UTF8.self))
        case .entry(let n, let seq, let ts, let kind, let body):
            writer.member("n", n)
            writer.member("seq", seq)
            writer.member("ts", ts)
            writer.member("kind", kind)
            writer.member("body", String(decoding: body, as: UTF8.self))
        }
    }

    fileprivate init?(_ value: JSONValue) {
        // One pass: each look-up of a member would read the line again.
        let members = Members(value)
        guard let n = members.n, n > 0, let seq = members.seq, let ts = members.ts else { return nil }
        if let line = members.line {
            guard SessionUpdateLines.isOne(line[...]) else { return nil }
            self = .update(n: n, seq: seq, ts: ts, line: line)
        } else if let kind = members.kind, let body = members.body, body.isOneJSONText {
            self = .entry(n: n, seq: seq, ts: ts, kind: kind, body: body)
        } else {
            return nil
        }
    }

    private struct Members {
        var n: Int64?
        var seq: Int64?
        var ts: Int64?
        var line: [UInt8]?
        var kind: String?
        var body: [UInt8]?

        init(_ value: JSONValue) {
            for (name, value) in value.members {
                switch name {
                case "n": n = value.updateNumber
                case "seq": seq = value.updateNumber
                case "ts": ts = value.updateNumber
                case "line": line = value.stringBytes
                case "kind": kind = value.stringValue
                case "body": body = value.stringBytes
                default: break
                }
            }
        }
    }
}

extension HistoryPage.Update {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("seq", seq)
        writer.member("ts", ts)
        writer.member("line", String(decoding: line, as: UTF8.self))
    }

    fileprivate init?(_ value: JSONValue) {
        guard let seq = value["seq"]?.updateNumber, seq > 0, let ts = value["ts"]?.updateNumber,
            let line = value["line"]?.stringBytes, SessionUpdateLines.isOne(line[...])
        else { return nil }
        self.init(seq: seq, ts: ts, line: line)
    }
}

// The bytes become messages to clients, or parts of messages. A peer must not be able to send other messages through this
// bridge.

extension [UInt8] {
    fileprivate var isOneJSONText: Bool { (try? JSONValue(validating: self)) != nil }
}

extension JSONValue {
    /// The number of an update or an entry, or a time. Nil if it is outside of ``UpdateNumber/range``.
    fileprivate var updateNumber: Int64? { int64Value.flatMap { UpdateNumber.range.contains($0) ? $0 : nil } }

    /// The number of a member that can be missing. The outer value is nil if the member is no number in the range.
    fileprivate func optionalUpdateNumber(_ name: String) -> Int64?? {
        guard let value = self[name] else { return .some(nil) }
        return value.updateNumber.map { .some($0) }
    }
}
