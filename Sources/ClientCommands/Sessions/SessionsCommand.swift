import BridgeRequests
import CommandContext
import Glibc
import Invocations
import Posix
import TerminalIO
import TerminalText

/// `acpbridge sessions`: prints a human-readable table, or one JSON object per line.
package struct SessionsCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: SessionsOptions) throws {
        let access = try BridgeAccess(options.connection, context: context)
        let selection = SessionSelection(options, folders: currentFolders)
        let folderName = FolderName(home: options.connection.url == nil ? context.variables["HOME"] : nil)
        let (json, tree) = (options.json, options.tree)
        let (listing, absence) = try access.withClient(starting: true) { client in
            var absence: TerminalText?
            var listing = try await Listing(client, folderName, json: json)
            try await tree ? listing.loadTree(selection, client) : listing.load(selection, client)
            if listing.count == 0, !json, !selection.includesEnded { try await listing.countEnded(selection, client) }
            if listing.count == 0, let agent = options.agent { absence = try await client.absence(ofAgent: agent) }
            return (listing, absence)
        }
        if let absence { Console.report("acpbridge: \(absence)") }
        if json || absence != nil { return }
        guard listing.count > 0 else { return Console.report("\(listing.emptiness(options))") }
        let (columns, hasColour) = (Console.columns(STDOUT_FILENO), Console.hasColour(STDOUT_FILENO))
        let table = listing.rows.table(columns: columns)
        try Console.print(table.text(columns: columns, ids: 0, yielding: 2, 1, hasColour: hasColour))
        let cut = listing.count - listing.rows.count
        if cut > 0 {
            Console.report("acpbridge: \(cut) older sessions are not in this table; --json lists all of them")
        }
        if listing.unusedCount > 0 {
            Console.report("acpbridge: \(listing.unused) not in this table; --json lists all")
        }
        if listing.subagentCount > 0, !options.selects {
            let (count, verb) = (listing.subagentCount, listing.subagentCount == 1 ? "is" : "are")
            Console.report("acpbridge: \(counted(count, "subagent")) \(verb) not in this table; --tree lists them")
        }
    }

    /// The current folder, and the path by which the shell has reached it if that has symbolic links.
    private var currentFolders: [String] {
        let folder = context.directory.description
        let path = context.variables["PWD"].flatMap { ProcessContext.realPath($0) == folder ? $0 : nil }
        return [folder] + [path].compactMap(\.self)
    }
}

/// Collects or prints the sessions page by page as they arrive.
private struct Listing: Sendable {
    private(set) var count = 0
    private(set) var rows: SessionRows
    /// Subagents that were left out.
    private(set) var subagentCount = 0
    /// Ended sessions without a prompt that were left out.
    private(set) var unusedCount = 0
    /// If no session is running: those that have ended, and those of them whose bridge was killed.
    private var endedCount = 0
    private var interruptedCount = 0
    private let pending: PendingCounts
    private let json: Bool

    /// - Parameter json: True prints each session on arrival; false collects rows for the table.
    init(_ client: CommandClient, _ folderName: FolderName, json: Bool) async throws {
        pending = try await PendingCounts(client)
        rows = SessionRows(pending, folderName, now: wallClockMilliseconds())
        self.json = json
    }

    mutating func load(_ selection: SessionSelection, _ client: CommandClient) async throws {
        try await selection.each(client) { page in
            for session in page {
                guard session.parentId == nil else {
                    subagentCount += 1
                    continue
                }
                guard json || !session.isUnused else {
                    unusedCount += 1
                    continue
                }
                try add(session)
                if count >= selection.limit { return false }
            }
            return true
        }
    }

    /// The sessions as a tree, which begins only after all have arrived. Only the last active 100,000 are listed.
    mutating func loadTree(_ selection: SessionSelection, _ client: CommandClient) async throws {
        var sessions: [ListedSession] = []
        try await selection.each(client, withArchived: true) { page in
            sessions += page.prefix(SessionRows.limit - sessions.count)
            return sessions.count < SessionRows.limit
        }
        // The subagents of an archived session are not archived themselves.
        var archivedDepth: Int?
        for row in SessionTree.rows(sessions) {
            if let depth = archivedDepth, row.depth > depth { continue }
            archivedDepth = row.session.isArchived ? row.depth : nil
            if archivedDepth == nil { try add(row.session, depth: row.depth) }
        }
    }

    private mutating func add(_ session: ListedSession, depth: Int? = nil) throws {
        count += 1
        if json { try Console.printRecord(session.row(pending)) } else { rows.add(session, depth: depth) }
    }

    mutating func countEnded(_ selection: SessionSelection, _ client: CommandClient) async throws {
        try await selection.withEnded.each(client) { page in
            for session in page where session.parentId == nil && !session.isUnused {
                endedCount += 1
                if session.isInterrupted { interruptedCount += 1 }
            }
            return true
        }
    }

    /// The sessions that were left out, and the verb for them.
    var unused: String {
        "\(counted(unusedCount, "ended session")) without a prompt \(unusedCount == 1 ? "is" : "are")"
    }

    /// The message if no session is listed.
    func emptiness(_ options: SessionsOptions) -> String {
        if unusedCount > 0 { return "No sessions; \(unused) not listed, except with --json." }
        guard endedCount > 0 else {
            return options.selects
                ? "No session matches."
                : "No sessions. An agent that an editor or `acpbridge run` starts creates one."
        }
        let sessions = options.selects ? "No running session matches" : "No running sessions"
        return "\(sessions); --all lists the ended ones (\(endedCount)).\(interruption)"
    }

    /// A sentence about sessions whose bridge was killed; empty if there are none.
    private var interruption: String {
        guard interruptedCount > 0 else { return "" }
        let verb = interruptedCount == 1 ? "was" : "were"
        return " \(interruptedCount) of them \(verb) interrupted; `acpbridge run --resume SESSION` continues one."
    }
}

extension ListedSession {
    /// The session has ended without a prompt, a title and tags. For example, an editor has only opened it.
    fileprivate var isUnused: Bool { !isLive && title.isEmpty && tags.isEmpty && !isArchived }
}
