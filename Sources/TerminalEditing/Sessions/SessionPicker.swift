import BridgeRequests
import Posix
import Synchronization
import TerminalIO
import TerminalText

/// A list of the running sessions, from which a person chooses one at a terminal. It changes with the sessions.
struct SessionPicker {
    private let client: CommandClient
    private let rows: PickerRows
    /// The words that the list is filtered by at first.
    private let filter: String
    private let chosen: ListedSession?

    /// - Parameter chosen: The session that is chosen at first; nil for the first one.
    init(_ client: CommandClient, _ folderName: FolderName, filter: String = "", chosen: ListedSession? = nil) {
        (self.client, self.filter, self.chosen) = (client, filter, chosen)
        rows = PickerRows(folderName)
    }

    /// Returns nil if the person left without a choice.
    ///
    /// - Parameters:
    ///   - initial: The list at first; nil loads it.
    ///   - signals: Those of the caller, of which Ctrl-C leaves the list.
    func choose(from initial: PickedSessions? = nil, _ signals: Interruptions? = nil) async throws -> ListedSession? {
        let initial = if let initial { initial } else { try await PickedSessions(client) }
        let list = PickedList(client, initial)
        let menu = TerminalMenu(rows.menu(filter: filter, chosen: chosen))
        let show = { @Sendable in menu.set(list.rows(rows)) }
        show()
        let watch = Task(executorPreference: client.loop) { await list.follow(show) }
        defer { watch.cancel() }
        return try await menu.choose(client.loop, signals).flatMap(list.session)
    }
}

/// The running sessions at one time, and the requests that wait in them.
struct PickedSessions: Sendable {
    fileprivate let sessions: [ListedSession]
    fileprivate let pending: PendingCounts

    init(_ client: CommandClient) async throws {
        sessions = try await client.runningSessions(limit: SessionRing.limit)
        pending = try await PendingCounts(client)
    }
}

/// The rows of a picker. Pure.
struct PickerRows: Sendable {
    private static let help: TerminalText = "j k arrows: move  text: filter  Enter: attach  q: quit"
    /// 100 columns of a title are enough to choose by.
    private static let titleLimit = 100

    private let folderName: FolderName

    init(_ folderName: FolderName) { self.folderName = folderName }

    func menu(filter: String, chosen: ListedSession?) -> ChoiceMenu {
        let table = Table(
            header: ["STATE", "TITLE", "AGENT", "FOLDER", "WHEN"],
            highlight: Table.Highlight(column: 0, text: ListedSession.waitingState, style: .yellow))
        return ChoiceMenu(table, yielding: [3, 1, 2], help: Self.help, filter: filter, selected: chosen?.key)
    }

    /// The sessions that wait for an answer come first, then those that were used last: an order that stays the same while
    /// agents work.
    ///
    /// - Parameter now: Milliseconds since 1970.
    func rows(_ sessions: [ListedSession], _ pending: PendingCounts, now: Int64) -> [ChoiceMenu.Row] {
        let sessions = sessions.filter { $0.parentId == nil }.sorted {
            (pending[$0] > 0 ? 0 : 1, -$0.usedTime, $0.key) < (pending[$1] > 0 ? 0 : 1, -$1.usedTime, $1.key)
        }
        return sessions.map { ChoiceMenu.Row(id: $0.key, cells: cells($0, pending, now: now), words: $0.id) }
    }

    private func cells(_ session: ListedSession, _ pending: PendingCounts, now: Int64) -> [String] {
        // The folder of another bridge is not below this user's home.
        let folder = session.folder.map { (session.bridge == nil ? folderName : FolderName(home: nil)).shown($0) }
        return [
            session.shownState(pending),
            Table.cell(session.name, limit: Self.titleLimit),
            Table.cell(session.agent, limit: 24), folder ?? "-", Dates.ago(milliseconds: now - session.lastTime),
        ]
    }
}

/// The sessions that a picker shows, as the bridge last listed them.
private final class PickedList: Sendable {
    private static let interval = Duration.seconds(1)

    private let sessions: Mutex<[ListedSession]>
    private let requests: WaitingRequests
    private let client: CommandClient

    init(_ client: CommandClient, _ initial: PickedSessions) {
        self.client = client
        sessions = Mutex(initial.sessions)
        requests = WaitingRequests(client, initial: initial.pending)
    }

    func session(_ key: String) -> ListedSession? { sessions.withLock { $0.first { $0.key == key } } }

    func rows(_ rows: PickerRows) -> [ChoiceMenu.Row] {
        rows.rows(sessions.withLock { $0 }, requests.counts, now: wallClockMilliseconds())
    }

    /// Calls `changed` after each change, and once a second because of the ages. Returns when the task is cancelled.
    func follow(_ changed: @escaping @Sendable () -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.requests.follow(changed) }
            group.addTask {
                var lists = RunningLists(self.client)
                while let list = try? await lists.next() {
                    await self.replace(list)
                    changed()
                    if !list.isWhole { await self.client.loop.sleep(until: .now + Self.interval) }
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    await self.client.loop.sleep(until: .now + Self.interval)
                    changed()
                }
            }
        }
    }

    /// The bridge sends only the beginning of a long list. One that is missing there can have ended, so all are requested then,
    /// at most once a second. Without an answer, the sessions stay as they were.
    private func replace(_ list: RunningLists.List) async {
        let all = list.isWhole ? list.sessions : try? await client.runningSessions(limit: SessionRing.limit)
        if let all { sessions.withLock { $0 = all.filter(\.isLive) } }
    }
}
