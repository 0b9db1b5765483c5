import BridgeRequests
import TerminalIO

/// The rows of the table of sessions.
struct SessionRows: Sendable {
    /// A column is as wide as its widest cell, so all rows of a table stay in memory: 100,000 rows with usual titles take
    /// less than 100 MB.
    static let limit = 100_000
    /// The columns of a title, of which the bridge lists 1,000 characters at most. A terminal shows as many as fit.
    private static let titleLimit = 2_000
    /// The columns of a title in a pipe or a file, where one long title would make all rows as long.
    private static let titleLimitElsewhere = 100
    /// Deeper sessions are not indented further, so that a row fits on a terminal.
    private static let depthLimit = 8
    /// Their places in the header.
    private static let (titles, folders, bridges) = (2, 6, 7)

    private let pending: PendingCounts
    private let folderName: FolderName
    /// Milliseconds since 1970.
    private let now: Int64
    /// The rows of sessions that wait for an answer, which come first in the table.
    private var waiting: [[String]] = []
    private var others: [[String]] = []
    private var hasBridges = false
    private var hasFolders = false

    init(_ pending: PendingCounts, _ folderName: FolderName, now: Int64) {
        (self.pending, self.folderName, self.now) = (pending, folderName, now)
    }

    var count: Int { waiting.count + others.count }

    /// - Parameter depth: How many sessions are above this one in a tree, whose order is kept; nil for a list.
    mutating func add(_ session: ListedSession, depth: Int? = nil) {
        guard count < Self.limit else { return }
        if session.bridge != nil { hasBridges = true }
        if session.folder != nil { hasFolders = true }
        let row = cells(session, depth: depth ?? 0)
        if depth == nil, pending[session] > 0 { waiting.append(row) } else { others.append(row) }
    }

    private func cells(_ session: ListedSession, depth: Int) -> [String] {
        let indent = String(repeating: "  ", count: min(depth, Self.depthLimit))
        return [
            indent + Table.cell(session.id), Table.cell(session.agent, limit: 24),
            Table.cell(session.title, limit: Self.titleLimit), session.shownState(pending),
            String(session.updateCount), Dates.ago(milliseconds: now - session.lastTime),
            // The folder of another bridge is not below this user's home.
            session.folder.map { (session.bridge == nil ? folderName : FolderName(home: nil)).shown($0) } ?? "-",
            session.bridge.map { Table.cell($0, limit: 24) } ?? "this one",
        ]
    }

    /// The table without the column of bridges if one bridge has all sessions, and without folders if they do not fit.
    ///
    /// - Parameter columns: The width of the terminal; nil for other output.
    func table(columns: Int?) -> Table {
        var table = Table(
            header: ["SESSION", "AGENT", "TITLE", "STATE", "UPDATES", "WHEN", "FOLDER", "BRIDGE"],
            highlight: Table.Highlight(column: 3, text: ListedSession.waitingState, style: .yellow))
        table.rows = waiting + others
        if columns == nil {
            for row in table.rows.indices {
                table.rows[row][Self.titles] = Table.cell(
                    table.rows[row][Self.titles], limit: Self.titleLimitElsewhere)
            }
        }
        if !hasBridges { table = table.without(Self.bridges) }
        let fits = columns.map { table.canBeRead(in: $0, cutting: [Self.titles]) } ?? true
        return hasFolders && fits ? table : table.without(Self.folders)
    }
}
