import CommandContext
import Posix
import TerminalIO
import TerminalText

/// The sessions that match a name. Among several incarnations of one session it selects the running one, otherwise the
/// newest.
///
/// The memory is bounded: beyond ``limit`` sessions it stores only that more exist.
struct SessionMatches {
    private static let limit = 1_000

    private struct Name: Hashable {
        let agent: String
        let id: String
    }

    private var incarnations: [Name: [ListedSession]] = [:]
    private var order: [Name] = []
    private var hasMore = false

    var isEmpty: Bool { order.isEmpty }

    /// Call with the newest session first.
    mutating func add(_ session: ListedSession) {
        let name = Name(agent: session.agent, id: session.id)
        guard let known = incarnations[name] else {
            guard order.count < Self.limit else { return hasMore = true }
            order.append(name)
            incarnations[name] = [session]
            return
        }
        guard session.isLive else { return }
        let running = known.filter(\.isLive)
        guard running.count < Self.limit else { return hasMore = true }
        incarnations[name] = running + [session]
    }

    private var candidates: [ListedSession] { order.flatMap { incarnations[$0] ?? [] } }

    var hasSeveral: Bool { candidates.count > 1 }

    /// Returns the only match, or nil if there is none.
    ///
    /// - Parameters:
    ///   - text: The text that the user typed.
    ///   - now: Milliseconds since 1970.
    func only(
        _ text: String, _ pending: PendingCounts = PendingCounts(), now: Int64 = wallClockMilliseconds()
    ) throws(Failure) -> ListedSession? {
        guard hasSeveral else { return candidates.first }
        throw ambiguous(text, pending, now: now)
    }

    private func ambiguous(_ text: String, _ pending: PendingCounts, now: Int64) -> Failure {
        let candidates = candidates
        let names = candidates.map(name(of:))
        var table = SessionCandidates()
        for (session, name) in zip(candidates, names).prefix(Self.shownLimit) {
            table.add(session, named: name, pending, now: now)
        }
        var rest: TerminalText =
            candidates.count > Self.shownLimit ? "\nand \(candidates.count - Self.shownLimit) more" : ""
        if names.contains("") {
            rest += "\nThe log could not store all of them yet, so they have no other names: see `acpbridge status`"
        }
        let example = names.first { !$0.isEmpty }
        let advice: TerminalText =
            example.map { "give a name of the first column in place of '\(text)', for example '\(Table.cell($0))'" }
            ?? "they cannot be told apart yet"
        return Failure(
            message: "'\(text)' matches \(hasMore ? "more than " : "")\(candidates.count) sessions; " + advice + ":\n"
                + table.text + rest, status: Failure.unknownSession)
    }

    private static let shownLimit = 20

    /// The name that selects this session alone. Empty if it has none yet.
    private func name(of session: ListedSession) -> String {
        let isAlone = incarnations[Name(agent: session.agent, id: session.id)]?.count == 1
        return isAlone ? "\(session.agent):\(session.id)" : session.journal
    }
}

/// A table that tells sessions apart, which can differ in nothing but their agent's process.
private struct SessionCandidates {
    /// Its place in the header.
    private static let bridges = 1
    private var table = Table(header: ["NAME", "BRIDGE", "AGENT", "STATE", "BEGAN", "WHEN", "FOLDER", "TITLE"])
    private var hasBridges = false

    mutating func add(_ session: ListedSession, named name: String, _ pending: PendingCounts, now: Int64) {
        if session.bridge != nil { hasBridges = true }
        table.rows.append([
            name.isEmpty ? "(not stored yet)" : Table.cell(name),
            session.bridge.map { Table.cell($0, limit: 24) } ?? "this one", Table.cell(session.agent, limit: 24),
            session.shownState(pending), Dates.ago(milliseconds: now - session.createdTime),
            Dates.ago(milliseconds: now - session.lastTime), session.folder.map(FolderName(home: nil).shown) ?? "-",
            Table.cell(session.title, limit: 40),
        ])
    }

    var text: TerminalText { (hasBridges ? table : table.without(Self.bridges)).text() }
}
