import CommandContext
import Glibc
import JSONScan
import TerminalIO
import TerminalText

/// One session as the bridge lists it.
package struct ListedSession: Sendable {
    package let id: String
    package let agent: String
    package let title: String
    package let state: String
    package let updateCount: Int64
    /// Milliseconds since 1970.
    package let createdTime: Int64
    package let lastTime: Int64
    /// When the session was last begun, loaded or prompted. It is the time of the last update if the bridge does not know more.
    package let usedTime: Int64
    package let journal: String
    /// The session that this one is a subagent of; nil for any other session.
    package let parentId: String?
    package let folder: String?
    package let tags: [String]
    package let isArchived: Bool
    /// The bridge that has the session; nil for the bridge that answers.
    package let bridge: String?
    /// That bridge cannot be reached.
    package let isAway: Bool
    /// True if the session has ended because its bridge was killed.
    package let isInterrupted: Bool
    /// The row as JSON text. It is a copy, so that the page it came from can be freed.
    package let row: [UInt8]
    /// True if the user named this incarnation, for example by its journal, and not a session by its id.
    package fileprivate(set) var isNamedIncarnation = false

    package init?(_ value: JSONValue) {
        // The row is read once, because each subscript of `value` would read it again.
        let members = value.members
        let byName = Dictionary(members.map { ($0.name, $0.value) }) { _, last in last }
        guard let id = byName["sessionId"]?.stringValue, let agent = byName["agent"]?.stringValue else { return nil }
        self.id = id
        self.agent = agent
        title = byName["title"]?.stringValue ?? ""
        // A session that has ended is still listed as idle until its last output is stored.
        state = byName["end"] == nil ? byName["state"]?.stringValue ?? "" : "ended"
        updateCount = byName["updateCount"]?.int64Value ?? 0
        createdTime = byName["createdTs"]?.int64Value ?? 0
        lastTime = byName["lastTs"]?.int64Value ?? 0
        usedTime = byName["usedTs"]?.int64Value ?? lastTime
        journal = byName["journal"]?.stringValue ?? ""
        parentId = byName["parentId"]?.stringValue
        folder = byName["cwd"]?.stringValue
        tags = byName["tags"]?.elements.compactMap(\.stringValue) ?? []
        isArchived = byName["archived"]?.boolValue == true
        bridge = byName["bridge"]?.stringValue
        isAway = byName["unreachableTs"] != nil
        isInterrupted = byName["end"]?["reason"]?.stringValue == "interrupted"
        row = JSONWriter.object { writer in
            for (name, value) in members where name != "nextCursor" { writer.member(name, raw: value.rawText) }
        }
    }

    /// The title, or else the id.
    package var name: String { title.isEmpty ? id : title }

    /// Differs from that of each other running session, also from that of another incarnation of this one. The journal can
    /// change while the session runs.
    package var key: String { nameKey + "\u{0}\(createdTime)" }

    /// Each incarnation of a session has this key.
    package var nameKey: String { nameKey(of: id) }

    /// The key of another session of the same agent, such as its parent.
    package func nameKey(of other: String) -> String { [bridge ?? "", agent, other].joined(separator: "\u{0}") }

    /// True while an agent serves the session.
    package var isLive: Bool { state != "ended" }

    /// Writes the members that name this incarnation of the session, in the order of canonical JSON.
    package func writeIncarnation(to writer: inout JSONWriter) { write(to: &writer, id, withJournal: true) }

    /// Names this incarnation in a subscription. The value is canonical JSON.
    package var params: [UInt8] { params { _ in } }

    /// Names this incarnation in the arguments of a mutation or an action.
    package func params(and others: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.object { writer in
            writeIncarnation(to: &writer)
            others(&writer)
        }
    }

    /// Names the session in an action's arguments, whichever of its incarnations is running. If the user named an
    /// incarnation, the action reaches only that one. Several bridges can have sessions with one id, so the incarnation of
    /// another bridge's session is named, too.
    ///
    /// - Parameter other: The id of another session of the same agent, for example of a subagent; nil for this one.
    package func arguments(of other: String? = nil, _ others: (inout JSONWriter) -> Void = { _ in }) -> [UInt8] {
        let isOther = other != nil && other != id
        return JSONWriter.object { writer in
            write(to: &writer, other ?? id, withJournal: !isOther && (isNamedIncarnation || bridge != nil))
            others(&writer)
        }
    }

    /// Writes the members that name the session in a request of ACP, whichever of its incarnations is running. If the user
    /// named an incarnation, the request reaches only that one.
    package func writeACP(to writer: inout JSONWriter) {
        writer.member("sessionId", id)
        guard isNamedIncarnation, !journal.isEmpty else { return }
        writer.memberObject("_meta") { writer in
            writer.memberObject("tinyvex") { $0.member("journal", journal) }
        }
    }

    private func write(to writer: inout JSONWriter, _ id: String, withJournal: Bool) {
        writer.member("agent", agent)
        if withJournal, !journal.isEmpty { writer.member("journal", journal) }
        writer.member("sessionId", id)
    }

    /// The same session, as one that the user has not named by its id.
    fileprivate var namedIncarnation: ListedSession {
        var session = self
        session.isNamedIncarnation = true
        return session
    }
}

extension [ListedSession] {
    /// The same sessions. If several have one id, a request for one of them must not reach another one.
    package var namingIncarnations: [ListedSession] {
        let counts = Dictionary(map { ($0.nameKey, 1) }, uniquingKeysWith: +)
        return map { counts[$0.nameKey] == 1 ? $0 : $0.namedIncarnation }
    }
}

extension CommandClient {
    /// Passes all sessions to `body` page by page, the most recently active first. Only one page is in memory at a
    /// time.
    ///
    /// - Parameters:
    ///   - pageLimit: the number of sessions in a page.
    ///   - params: the filter for the sessions.
    ///   - body: returns true if the next page is wanted.
    package func eachSession(
        pageLimit: Int64 = 10_000, _ params: (inout JSONWriter) -> Void = { _ in },
        _ body: ([ListedSession]) throws -> Bool
    ) async throws {
        var cursor: String?
        repeat {
            let page = try await call("tinyvex/history.recentSessions") { writer in
                writer.member("limit", pageLimit)
                writer.member("cursor", ifPresent: cursor)
                params(&writer)
            }
            guard try body(page.elements.compactMap(ListedSession.init)) else { return }
            cursor = page.elements.last?["nextCursor"]?.stringValue
        } while cursor != nil
    }

    /// Passes the sessions that match a filter to `body`, as ``eachSession(pageLimit:_:_:)``.
    ///
    /// - Parameter params: The params of `sessions:list`.
    package func eachMatch(
        _ params: (inout JSONWriter) -> Void, _ body: ([ListedSession]) throws -> Bool
    ) async throws {
        var cursor: String?
        repeat {
            let page = try await value("sessions:list", cursor: cursor) { writer in
                writer.member("limit", Self.matchLimit)
                params(&writer)
            }
            guard try body((page["data"]?.elements ?? []).compactMap(ListedSession.init)) else { return }
            cursor = page["nextCursor"]?.stringValue
        } while cursor != nil
    }

    /// The largest page of `sessions:list`.
    private static let matchLimit: Int64 = 200

    /// The sessions whose agents run, with their subagents and without archived ones: those that were active last.
    ///
    /// - Parameter limit: Further ones are left out.
    package func runningSessions(limit: Int) async throws -> [ListedSession] {
        var sessions: [ListedSession] = []
        try await eachMatch({ $0.member("live", true) }) { page in
            sessions += page.filter(\.isLive).prefix(limit - sessions.count)
            return sessions.count < limit
        }
        return sessions.namingIncarnations
    }

    package func session(_ name: String) async throws -> ListedSession {
        guard let session = try await SessionSearch(self).match(name) else { throw try await unknown(name) }
        return session
    }

    private func unknown(_ name: String) async throws -> Failure {
        let isEmpty = try await session { _ in true } == nil
        return Failure(
            message: isEmpty
                ? "there are no sessions yet; `acpbridge run --agent NAME` begins one, and so does an editor"
                : "no session matches '\(name)'; `acpbridge sessions --all` lists all sessions",
            status: Failure.unknownSession)
    }

    /// Returns a session with a running agent, which accepts messages. The name only has to be unique among these. At a
    /// terminal, the id of the latest session is printed.
    package func runningSession(_ name: String) async throws -> ListedSession {
        let running = try await SessionSearch(self, .running).match(name)
        if running == nil, name == "latest" {
            throw Failure.noSessionRuns(named: name)
        }
        // The name is not a whole id: that would have been found among the ended sessions, too.
        let session = if let running { running } else { try await SessionSearch(self).lookThrough(name) }
        guard let session else { throw try await unknown(name) }
        guard session.isLive else {
            throw Failure(
                message: """
                    session '\(Table.cell(session.id))' has ended, and its agent is not running; `acpbridge run \
                    --resume \(Table.cell(session.id))` continues it, and so does an editor that opens it
                    """)
        }
        if name == "latest" { Self.report(session) }
        return session
    }

    /// Returns a session that has ended, which an agent can continue. The name only has to be unique among these. At a
    /// terminal, the id of the latest session is printed.
    package func endedSession(_ name: String) async throws -> ListedSession {
        let ended = try await SessionSearch(self, .ended).match(name)
        if ended == nil, name == "latest" {
            throw Failure(message: "no session has ended yet", status: Failure.unknownSession)
        }
        let session = if let ended { ended } else { try await session(name) }
        // Another incarnation of it can run.
        guard try await runningSession(id: session.id, agent: session.agent) == nil else {
            throw Failure(
                message: """
                    session '\(Table.cell(session.id))' is running; `acpbridge attach \(Table.cell(session.id)) --take` \
                    continues it
                    """)
        }
        if name == "latest" { Self.report(session) }
        return session
    }

    private static func report(_ session: ListedSession) {
        guard Console.isTerminal(STDERR_FILENO) else { return }
        let folder = session.isLive ? "" : session.folder.map { " in \($0)" } ?? ""
        Console.report(
            "acpbridge: the session is \(Table.cell(session.id)), \(Table.cell(session.title, limit: 40))\(folder)")
    }

    /// Returns the running session with this id, which must be a whole one; nil if the bridge lists none.
    package func runningSession(
        id: String, agent: String, where isWanted: (ListedSession) -> Bool = { _ in true }
    ) async throws -> ListedSession? {
        var found: ListedSession?
        try await SessionSearch(self).eachIncarnation(of: id, agent: agent) {
            if found == nil, $0.isLive, isWanted($0) { found = $0 }
        }
        return found
    }

    /// Returns the wanted session that was begun, loaded or prompted last, or nil. It stays the same while several agents
    /// work. A subagent is part of its parent's session: it takes no prompts, and is shown with its parent.
    fileprivate func session(
        _ params: (inout JSONWriter) -> Void = { _ in }, where isWanted: (ListedSession) -> Bool
    ) async throws -> ListedSession? {
        var found: ListedSession?
        try await eachSession(pageLimit: Self.latestPageLimit, params) { page in
            for session in page where session.parentId == nil && isWanted(session) {
                if session.usedTime > found?.usedTime ?? .min { found = session }
            }
            // The pages are in the order of the last updates, and no session was used after its last update.
            guard let last = page.last else { return false }
            return found.map { $0.usedTime < last.lastTime } ?? true
        }
        return found
    }

    /// More subagents than usually write after their parent.
    private static let latestPageLimit: Int64 = 20
}

/// Finds the session for a name that a user typed: an id, the beginning of an id, `latest`, `AGENT:ID`, a journal, or a title.
///
/// A whole id is queried directly. Only the other names need a search through the sessions.
struct SessionSearch {
    /// The sessions that have precedence. A whole id also names another session, so that it never means a session whose id
    /// begins with it.
    enum Scope {
        case all, running, ended
    }

    private let client: CommandClient
    private let scope: Scope

    init(_ client: CommandClient, _ scope: Scope = .all) {
        self.client = client
        self.scope = scope
    }

    /// Returns nil if no session has the name. Throws if several have it.
    func match(_ text: String) async throws -> ListedSession? {
        if let session = try await only(incarnations(of: text), text) { return session }
        if text == "latest", let session = try await latest() { return session.namedIncarnation }
        if let colon = text.firstIndex(of: ":") {
            let agent = String(text[..<colon])
            let session = try await only(
                incarnations(of: String(text[text.index(after: colon)...]), agent: agent), text)
            if let session { return session }
        }
        return try await lookThrough(text)
    }

    /// A running session has precedence: a person who names the latest one seldom means one that has ended.
    private func latest() async throws -> ListedSession? {
        if scope == .all, let running = try await SessionSearch(client, .running).latest() { return running }
        return try await client.session(select, where: isWanted)
    }

    private func select(_ writer: inout JSONWriter) {
        if scope == .running { writer.member("live", true) }
    }

    /// An older bridge ignores the member that ``select(_:)`` writes.
    private func isWanted(_ session: ListedSession) -> Bool {
        switch scope {
        case .all: true
        case .running: session.isLive
        // Those of other bridges work on other machines, so a person names them.
        case .ended: !session.isLive && session.bridge == nil
        }
    }

    /// The limit for a session's id.
    private static let idLimitBytes = 1 << 10

    private func incarnations(of id: String, agent: String? = nil) async throws -> SessionMatches {
        var (all, running, ended) = (SessionMatches(), SessionMatches(), SessionMatches())
        try await eachIncarnation(of: id, agent: agent) { session in
            all.add(session)
            if session.isLive { running.add(session) } else { ended.add(session) }
        }
        return switch scope {
        case .running where !running.isEmpty: running
        case .ended where !ended.isEmpty: ended
        default: all
        }
    }

    /// Passes the sessions with this id to `body`, the most recently active first.
    fileprivate func eachIncarnation(
        of id: String, agent: String? = nil, _ body: (ListedSession) -> Void
    ) async throws {
        guard !id.isEmpty, id.utf8.count <= Self.idLimitBytes else { return }
        try await client.eachSession {
            $0.member("sessionId", id)
            $0.member("agent", ifPresent: agent)
        } _: { page in
            // An older bridge ignores these members and lists other sessions.
            page.filter { $0.id == id && (agent ?? $0.agent) == $0.agent }.forEach(body)
            return true
        }
    }

    /// Returns the session whose id begins with the text, or that has the text in another form. Asks for all sessions.
    fileprivate func lookThrough(_ text: String) async throws -> ListedSession? {
        guard !text.isEmpty else { return nil }
        var matches: [NameForm: SessionMatches] = [:]
        try await client.eachSession(select) { page in
            for session in page where isWanted(session) {
                for form in NameForm.allCases where form.isName(text, of: session) {
                    matches[form, default: SessionMatches()].add(
                        form.isOfIncarnation ? session.namedIncarnation : session)
                }
            }
            return true
        }
        for form in NameForm.allCases {
            if let matches = matches[form], let session = try await only(matches, text) { return session }
        }
        return nil
    }

    /// - Throws: A ``Failure`` with a table of the matches, if there are several.
    private func only(_ matches: SessionMatches, _ text: String) async throws -> ListedSession? {
        // The table is useful without the requests, too.
        let pending = matches.hasSeveral ? try? await PendingCounts(client) : nil
        return try matches.only(text, pending ?? PendingCounts())
    }
}

/// The forms in which a text can name a session. An earlier form has precedence.
private enum NameForm: CaseIterable {
    /// `AGENT:ID`.
    case agentAndId
    case journal
    /// A table of running sessions has beginnings of ids that are different among those.
    case beginningOfRunning
    case beginning
    /// The id of a subagent can begin with that of its parent.
    case beginningOfSubagent
    /// Titles come last: an agent can choose its own title, and it must not take the place of another session's id. A new
    /// session often has the title of one that has ended.
    case titleOfRunning
    case title

    /// True if the form names one incarnation, also if a later one has the same id.
    var isOfIncarnation: Bool {
        switch self {
        case .journal, .titleOfRunning, .title: true
        case .agentAndId, .beginningOfRunning, .beginning, .beginningOfSubagent: false
        }
    }

    /// - Parameter text: Not empty.
    func isName(_ text: String, of session: ListedSession) -> Bool {
        switch self {
        case .agentAndId: "\(session.agent):\(session.id)" == text
        case .journal: session.journal == text
        case .beginningOfRunning: session.isLive && Self.beginning.isName(text, of: session)
        case .beginning: session.parentId == nil && session.id.hasPrefix(text)
        case .beginningOfSubagent: session.parentId != nil && session.id.hasPrefix(text)
        case .titleOfRunning: session.isLive && Self.title.isName(text, of: session)
        case .title: session.parentId == nil && session.title == text
        }
    }
}
