import ACPMethods
import ACPRouting
import Agents
import EventLoop
import Functions
import HTTP1
import JSONRPC
import JSONScan
import SessionRecords
import SessionStreams
import Tinyvex

/// Answers a remote client's `session/list`. Each answer is limited in size and continues with ACP's own `nextCursor`.
@LoopActor final class SessionListAnswers {
    private let address: RemoteClientAddress
    private let host: any RemoteClientHost
    private unowned let connection: any RemoteClientConnection
    private let lines: RemoteClientLines
    /// Questions to agents for their own sessions, without an answer yet.
    private var openQuestions = 0

    init(
        _ connection: any RemoteClientConnection, address: RemoteClientAddress, lines: RemoteClientLines,
        host: any RemoteClientHost
    ) {
        (self.connection, self.address, self.lines, self.host) = (connection, address, lines, host)
    }

    /// True while an agent has not answered a question.
    var isAsking: Bool { openQuestions > 0 }

    /// Lists the agent's own sessions and the sessions of kept agents, or only those in the request's `cwd`. A
    /// cursor that the bridge made continues with the sessions of kept agents. Returns false if the client's own agent
    /// must answer: there is no kept agent, or the cursor belongs to the agent.
    ///
    /// - Parameter own: the client's own agent, if it has been started.
    func answer(_ request: RemoteClient.Request, own: AgentRun?) throws(Rejection) -> Bool {
        if let tenant = connection.identity.tenant {
            try list(request, of: tenant, agent: own?.name ?? address.namedAgent)
            return true
        }
        let kept = host.keptSessions(like: address, for: connection.identity)
        let cursor = request.params?["cursor"]?.stringValue
        let position = cursor.flatMap(Self.position)
        let isOurs = position != nil || (cursor == nil && !kept.isEmpty)
        guard isOurs, let run = own ?? kept.first?.run else { return false }
        try connection.identity.require(.control)
        let folder = request.params?["cwd"]?.stringValue
        let sessions = kept.map(\.session).filter { folder == nil || $0.cwd == folder }
            .sorted { $0.listPlace < $1.listPlace }
        list(request, sessions.filter { position.map($0.listPlace.isAfter) ?? true }, run)
        return true
    }

    /// Lists the session of the client's URL, and no other. The connection is for it, so the request's `cwd` does not count.
    func answer(_ request: RemoteClient.Request, with session: Session) {
        var page = ListPage()
        _ = page.add(Self.row(session))
        lines.send(MessageText.response(id: request.id, rawResult: Self.list(page, next: nil)), after: nil)
    }

    /// Sends one page of the kept agents' sessions. The last of these pages also contains the agent's own sessions.
    private func list(_ request: RemoteClient.Request, _ kept: [Session], _ run: AgentRun) {
        var page = ListPage(limitBytes: ListPage.addedLimitBytes)
        for session in kept where !page.add(Self.row(session)) { break }
        if page.rows.count < kept.count {
            let next = Self.cursorPrefix + kept[page.rows.count - 1].listPlace.description
            return lines.send(MessageText.response(id: request.id, rawResult: Self.list(page, next: next)), after: nil)
        }
        let ids = kept.map(\.id)
        openQuestions += 1
        run.ask(ACPMethod.sessionList.name, Self.withoutCursor(request.params), by: connection.identity.who) {
            [weak self] reply in
            self?.openQuestions -= 1
            let result = Self.merged(reply, with: Array(zip(ids, page.rows)))
            self?.lines.send(MessageText.response(id: request.id, rawResult: result), after: nil)
        }
    }

    private static let cursorPrefix = "acpbridge:"

    private static func position(_ cursor: String) -> ListPosition? {
        guard cursor.hasPrefix(cursorPrefix), cursor.utf8.count <= 64 else { return nil }
        return ListPosition(String(cursor.dropFirst(cursorPrefix.count)), count: 1)
    }

    private static func withoutCursor(_ params: JSONValue?) -> JSONValue? {
        guard let params, params["cursor"] != nil else { return params }
        let json = JSONWriter.object { writer in
            for (name, value) in params.members where name != "cursor" { writer.member(name, raw: value.rawText) }
        }
        return try? JSONValue(validating: json)
    }

    // MARK: Tenants

    /// Lists a tenant's sessions from the log, because an agent can also know the sessions of other tenants.
    private func list(_ request: RemoteClient.Request, of tenant: String, agent: String?) throws(Rejection) {
        try connection.identity.require(.observe)
        let cursor = try Parameters(request.params).optionalCursor()
        let filter = SessionFilter(agent: agent, tenant: tenant)
        let query = ReadRequest.Query.list(
            filter, offset: 0, limit: ListPage.rowLimit, after: try cursor.map(SessionQueries.position))
        host.registry.readSettled(query) { [weak self] answer in
            guard let self else { return }
            guard case .listing(let listing) = answer else {
                return self.refuse(request)
            }
            var page = ListPage()
            let next = page.add(listing) { self.row($0) }
            let result = Self.list(page, next: next?.description)
            self.lines.send(MessageText.response(id: request.id, rawResult: result), after: nil)
        }
    }

    private func refuse(_ request: RemoteClient.Request) {
        let error = SessionRegistry.unreadable
        connection.send(error.response(to: request.id, serverTs: host.time.dateMilliseconds))
    }

    /// Nil for a session that is not listed.
    private func row(_ record: SessionRecord) -> [UInt8]? {
        if host.registry.isImporting(record.sessionId) { return nil }
        let session = host.summary(of: record)
        return JSONWriter.object { Self.write(session.sessionId, session.cwd, session.title, to: &$0) }
    }

    // MARK: Answers

    private static func list(_ page: ListPage, next: String?) -> [UInt8] {
        JSONWriter.object { writer in
            writer.memberArray("sessions") { writer in
                for row in page.rows { writer.element(raw: row) }
            }
            writer.member("nextCursor", ifPresent: next)
        }
    }

    private static func row(_ session: Session) -> [UInt8] {
        JSONWriter.object { writer in
            write(session.id, session.cwd, session.title, to: &writer)
            writer.member("updatedAt", Timestamp.milliseconds(session.lastTime))
        }
    }

    /// Writes the members that every session in a `session/list` answer has.
    private static func write(_ id: String, _ cwd: String?, _ title: String?, to writer: inout JSONWriter) {
        writer.member("sessionId", id)
        writer.member("cwd", cwd ?? "/")
        writer.member("title", ifPresent: title)
    }

    private static func merged(_ reply: Reply, with kept: [(id: String, row: [UInt8])]) -> [UInt8] {
        let answer = reply.result.flatMap { try? JSONValue(validating: $0) }
        let listed = answer?["sessions"]?.elements ?? []
        let ids = Set(listed.compactMap { $0["sessionId"]?.stringValue })
        return JSONWriter.object { writer in
            writer.memberArray("sessions") { writer in
                for session in listed { writer.element(raw: session.rawText) }
                for session in kept where !ids.contains(session.id) { writer.element(raw: session.row) }
            }
            for (name, value) in answer?.members ?? [] where name != "sessions" {
                writer.member(name, raw: value.rawText)
            }
        }
    }
}

extension Session {
    /// The session's position in a list: the newest session comes first. The order by last activity would change while a
    /// client reads the pages, and the client would miss sessions.
    fileprivate var listPlace: ListPosition { ListPosition(-ordinal) }
}
