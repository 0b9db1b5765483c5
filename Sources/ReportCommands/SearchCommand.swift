import BridgeRequests
import CommandContext
import Glibc
import Invocations
import JSONScan
import Posix
import TerminalIO
import TerminalText
import Tinyvex

/// `acpbridge search`: prints the places where words occur, as a table or as one JSON object per line.
package struct SearchCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: SearchOptions) throws {
        let access = try BridgeAccess(options.connection, context: context)
        if options.status { return try showStatus(access, json: options.json) }
        let result = try access.withClient(starting: true) { client in try await Self.search(client, options) }
        if options.json {
            for row in result.rows { try Console.printRecord(row.rawText) }
        } else if !result.rows.isEmpty {
            try Console.print(Self.table(result.rows, now: wallClockMilliseconds()))
        } else {
            Console.report("Nothing was found.")
        }
        if let absence = result.absence { Console.report("acpbridge: \(absence)") }
        if result.hasMore {
            let (shown, next) = (result.rows.count, min(result.rows.count * 5, RowLimit.most))
            Console.report("acpbridge: these are the newest \(shown); --limit \(next) can show more")
        }
        if let error = result.hubError {
            Console.report("acpbridge: the sessions of other bridges were not searched: \(error)")
        }
        if let note = Self.note(unsearched: result.peers) { Console.report("acpbridge: \(note)") }
        if let index = result.index { Console.report("acpbridge: \(Self.note(index))") }
    }

    // MARK: Hits

    private struct SearchResult: Sendable {
        var rows: [JSONValue] = []
        /// Older places can follow.
        var hasMore = false
        /// The state of an index that is not complete.
        var index: JSONValue?
        /// The reason why the sessions of other bridges were not searched.
        var hubError: String?
        /// The names of the peers, whose sessions are never searched.
        var peers: [String] = []
        /// A message, if no session has the named agent.
        var absence: TerminalText?
    }

    /// The largest page of `sessions:search`.
    private static let pageLimit = 50
    private static let defaultLimit = 20

    private static func search(_ client: CommandClient, _ options: SearchOptions) async throws -> SearchResult {
        let session = if let name = options.session { try await client.session(name) } else { nil as ListedSession? }
        let limit = options.limit?.count ?? defaultLimit
        let start = options.since.map { max(0, wallClockMilliseconds() - $0.wholeMilliseconds) }
        var result = SearchResult()
        var cursor: String?
        repeat {
            let rest = limit - result.rows.count
            let page = try await client.value("sessions:search") { writer in
                writer.member("query", options.words.joined(separator: " "))
                if let session {
                    writer.member("sessionId", session.id)
                    writer.member("journal", ifPresent: session.journal.isEmpty ? nil : session.journal)
                }
                writer.member("agent", ifPresent: session?.agent ?? options.agent)
                writer.member("sinceTs", ifPresent: start)
                writer.member("limit", min(rest, pageLimit))
                writer.member("cursor", ifPresent: cursor)
            }
            result.rows += page["data"]?.elements.map { $0.detached() } ?? []
            result.index = page["index"]?.detached()
            result.hubError = page["hubError"]?.stringValue
            cursor = page["nextCursor"]?.stringValue
        } while cursor != nil && result.rows.count < limit
        result.hasMore = cursor != nil && limit < RowLimit.most
        // A search in one session of a peer has failed, and one in an own session concerns no peer.
        if session == nil { result.peers = try await peers(client) }
        if result.rows.isEmpty, let agent = options.agent { result.absence = try await client.absence(ofAgent: agent) }
        return result
    }

    /// None for a client that cannot read the state of the bridge.
    private static func peers(_ client: CommandClient) async throws -> [String] {
        do throws(BridgeFailure) {
            return (try await client.value("bridge:status")["peers"]?.elements ?? []).compactMap {
                ($0["name"] ?? $0["url"])?.stringValue
            }
        } catch {
            if case .server = error.error { return [] }
            throw error
        }
    }

    /// A sentence about the peers, without a full stop. Nil if there are none.
    static func note(unsearched peers: [String]) -> String? {
        guard let last = peers.last else { return nil }
        let names = peers.dropLast().joined(separator: ", ") + (peers.count > 1 ? " and " : "") + last
        return "the sessions of \(names) were not searched; search them at their own bridge"
    }

    private static func table(_ rows: [JSONValue], now: Int64) -> TerminalText {
        let columns = Console.columns(STDOUT_FILENO)
        let lead = columns.map { $0 < wideColumns } == true ? narrowLead : wideLead
        let hasBridges = rows.contains { $0["bridge"] != nil }
        var table = Table(
            header: ["SESSION", "AGENT", "UPDATE", "WHEN", "KIND"] + (hasBridges ? ["BRIDGE"] : []) + ["TEXT"])
        table.rows = rows.map { row in
            let words = snippet((row["snippet"]?.elements ?? []).compactMap(\.stringValue), lead: lead)
            return [
                Table.cell(row["sessionId"]?.stringValue ?? "-"),
                Table.cell(row["agent"]?.stringValue ?? "-", limit: 24), row["seq"]?.rawString ?? "-",
                row["ts"]?.int64Value.map { Dates.ago(milliseconds: now - $0) } ?? "-",
                row["kind"]?.stringValue ?? "-",
            ] + (hasBridges ? [Table.cell(row["bridge"]?.stringValue ?? "-", limit: 24)] : [])
                + [Table.cell(words, limit: 160)]
        }
        return table.text(columns: columns, ids: 0, yielding: hasBridges ? 6 : 5)
    }

    /// The characters before the first match, so that a terminal shows the match.
    private static let (wideLead, narrowLead) = (24, 4)
    /// Below this width of the terminal, the text has some 20 columns.
    private static let wideColumns = 120

    /// - Parameter pieces: texts of which those at odd positions match.
    /// - Parameter limit: the number of characters before the first match.
    static func snippet(_ pieces: [String], lead limit: Int = wideLead) -> String {
        let lead = pieces.first ?? ""
        let shown = lead.count > limit ? "…\(lead.suffix(limit))" : lead
        return (shown + pieces.dropFirst().joined()).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    // MARK: The index

    private func showStatus(_ access: BridgeAccess, json: Bool) throws {
        let status = try access.withClient(starting: true) { try await $0.value("bridge:status") }
        guard let index = status["search"] else {
            throw Failure(
                message: "this bridge is older than `acpbridge search`; replace it with `acpbridge serve --replace`")
        }
        if json { return try Console.printRecord(index.rawText) }
        try Console.print("\(Self.note(index))")
    }

    /// A sentence about the index, without a full stop.
    static func note(_ index: JSONValue) -> String {
        let (done, total) = (index["done"]?.int64Value ?? 0, index["total"]?.int64Value ?? 0)
        let size = "\((index["bytes"]?.int64Value ?? 0) >> 10) KiB"
        switch index["state"]?.stringValue {
        case "off": return "the bridge runs without search (--no-search)"
        case "failed": return "the search index failed, and is tried again: \(index["error"]?.stringValue ?? "")"
        case "current": return "the search index has all \(total) stored entries; it takes \(size)"
        case _ where total > 0 && done >= total: return "the search index is nearly complete"
        default:
            let percentage = total > 0 ? " (\(done * 100 / total) %)" : ""
            return "the search index has \(done) of \(total) stored entries\(percentage), so hits may be missing"
        }
    }
}
