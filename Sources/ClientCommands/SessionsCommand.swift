import BridgeRequests
import CommandContext
import Glibc
import Invocations
import Posix
import TerminalIO

/// `acpbridge sessions`: prints a human-readable table, or one JSON object per line.
package struct SessionsCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: SessionsOptions) throws {
        let access = try BridgeAccess(options.connection, context: context)
        let (all, json, tree) = (options.all, options.json, options.tree)
        let listing = try access.withClient(starting: true) { client in
            if tree { return try await Listing.loadTree(client, all: all, json: json) }
            var listing = try await Listing.load(client, all: all, json: json)
            if listing.count == 0, !all {
                let ended = try await Listing.load(client, all: true, json: nil)
                (listing.endedCount, listing.interruptedCount) = (ended.count, ended.interruptedCount)
            }
            return listing
        }
        if json { return }
        guard listing.count > 0 else {
            return Console.report(
                listing.endedCount == 0
                    ? "No sessions. An agent that an editor or `acpbridge run` starts creates one."
                    : "No running sessions; --all lists the ended ones (\(listing.endedCount)).\(listing.interruption)")
        }
        let (columns, hasColour) = (Console.columns(STDOUT_FILENO), Console.hasColour(STDOUT_FILENO))
        try Console.print(listing.shownTable.text(columns: columns, ids: 0, yielding: 2, 1, hasColour: hasColour))
        let cut = listing.count - listing.table.rows.count
        if cut > 0 {
            Console.report("acpbridge: \(cut) older sessions are not in this table; --json lists all of them")
        }
        if listing.subagentCount > 0 {
            let noun = listing.subagentCount == 1 ? "subagent is" : "subagents are"
            Console.report("acpbridge: \(listing.subagentCount) \(noun) not in this table; --tree lists them")
        }
    }
}

/// Collects or prints the sessions page by page as they arrive.
private struct Listing: Sendable {
    /// A column is as wide as its widest cell, so all rows of a table stay in memory: 100,000 rows take less than 100
    /// MB.
    private static let rowLimit = 100_000

    private(set) var count = 0
    /// The rows of sessions that wait for an answer, which come first in the table.
    private var waitingRows: [[String]] = []
    /// Subagents that were left out.
    private(set) var subagentCount = 0
    var endedCount = 0
    /// Sessions whose bridge was killed.
    var interruptedCount = 0

    /// A sentence about sessions whose bridge was killed; empty if there are none.
    var interruption: String {
        guard interruptedCount > 0 else { return "" }
        let verb = interruptedCount == 1 ? "was" : "were"
        return " \(interruptedCount) of them \(verb) interrupted; `acpbridge run --resume SESSION` continues one."
    }

    private(set) var table = Table(
        header: ["SESSION", "AGENT", "TITLE", "STATE", "UPDATES", "WHEN", "BRIDGE"],
        highlight: Table.Highlight(column: 3, text: ListedSession.waitingState, style: .yellow))
    /// True if another bridge has one of the sessions.
    private var hasOthers = false

    /// The table, without the column of bridges if one bridge has all sessions.
    var shownTable: Table {
        guard !hasOthers else { return table }
        return table.without(table.header.count - 1)
    }

    /// - Parameter json: true prints each session on arrival; false collects rows for the table; nil only counts.
    static func load(_ client: CommandClient, all: Bool, json: Bool?) async throws -> Listing {
        var listing = Listing()
        let now = wallClockMilliseconds()
        let pending = json == nil ? PendingCounts() : try await PendingCounts(client)
        try await client.eachSession {
            if !all { $0.member("live", true) }
        } _: { page in
            // An older bridge ignores that member.
            for session in page where all || session.isLive {
                guard session.parentId == nil else {
                    listing.subagentCount += 1
                    continue
                }
                listing.count += 1
                if session.isInterrupted { listing.interruptedCount += 1 }
                if json == true { try Console.printRecord(session.row(pending)) }
                if json == false, listing.count <= rowLimit { listing.add(session, pending, now) }
            }
            return true
        }
        listing.table.rows = listing.waitingRows + listing.table.rows
        return listing
    }

    private mutating func add(_ session: ListedSession, _ pending: PendingCounts, _ now: Int64) {
        let row = Self.cells(session, now, pending)
        if session.bridge != nil { hasOthers = true }
        if pending[session] > 0 { waitingRows.append(row) } else { table.rows.append(row) }
    }

    /// The sessions as a tree, which begins only after all have arrived. Only the last active 100,000 are listed.
    static func loadTree(_ client: CommandClient, all: Bool, json: Bool) async throws -> Listing {
        var sessions: [ListedSession] = []
        try await client.eachSession {
            if !all { $0.member("live", true) }
        } _: { page in
            sessions += page.filter { all || $0.isLive }.prefix(rowLimit - sessions.count)
            return sessions.count < rowLimit
        }
        var listing = Listing()
        let now = wallClockMilliseconds()
        let pending = try await PendingCounts(client)
        for row in SessionTree.rows(sessions) {
            listing.count += 1
            if json { try Console.printRecord(row.session.row(pending)) }
            if row.session.bridge != nil { listing.hasOthers = true }
            if !json { listing.table.rows.append(cells(row.session, now, pending, depth: row.depth)) }
        }
        return listing
    }

    /// The columns of a title, of which the bridge lists 1,000 characters at most. A terminal shows as many as fit.
    private static let titleLimit = 2_000

    /// Deeper sessions are not indented further, so that a row fits on a terminal.
    private static let depthLimit = 8

    private static func cells(
        _ session: ListedSession, _ now: Int64, _ pending: PendingCounts, depth: Int = 0
    ) -> [String] {
        let indent = String(repeating: "  ", count: min(depth, depthLimit))
        return [
            indent + Table.cell(session.id), Table.cell(session.agent, limit: 24),
            Table.cell(session.title, limit: titleLimit),
            session.shownState(pending), String(session.updateCount), Dates.ago(milliseconds: now - session.lastTime),
            session.bridge.map { Table.cell($0, limit: 24) } ?? "this one",
        ]
    }
}
