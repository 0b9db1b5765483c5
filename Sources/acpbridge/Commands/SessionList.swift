import JSONScan
import TerminalText

/// One session as the bridge lists it.
struct ListedSession: Sendable {
    let id: String
    let agent: String
    let title: String
    let state: String
    let updateCount: Int64
    let lastTime: Int64
    let journal: String
    let raw: JSONValue

    init?(_ value: JSONValue) {
        guard let id = value["sessionId"]?.stringValue, let agent = value["agent"]?.stringValue else { return nil }
        self.id = id
        self.agent = agent
        title = value["title"]?.stringValue ?? ""
        state = value["state"]?.stringValue ?? ""
        updateCount = value["updateCount"]?.int64Value ?? 0
        lastTime = value["lastTs"]?.int64Value ?? 0
        journal = value["journal"]?.stringValue ?? ""
        raw = value
    }

    var isLive: Bool { state != "ended" }

    /// Names it in an action's arguments: whichever life of it runs.
    func arguments(_ others: (inout JSONWriter) -> Void = { _ in }) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("sessionId", id)
            writer.member("agent", agent)
            others(&writer)
        }
    }

    /// Every session the bridge knows, the newest first.
    static func all(_ client: BridgeClient) async throws(BridgeFailure) -> [ListedSession] {
        let result = try await client.call("tinyvex/history.recentSessions") { $0.member("limit", Int64(10_000)) }
        return result.elements.compactMap(ListedSession.init)
    }
}

extension BridgeClient {
    func session(_ name: String) async throws -> ListedSession {
        try SessionSearch(sessions: await ListedSession.all(self)).find(name)
    }

    /// One whose agent can be spoken to.
    func runningSession(_ name: String) async throws -> ListedSession {
        let session = try await session(name)
        guard session.isLive else {
            throw Failure(
                message: """
                    session '\(Table.cell(session.id))' has ended, and no agent runs it; an editor that opens it again \
                    starts one, and `acpbridge sessions` lists those that run
                    """)
        }
        return session
    }
}

/// Finds the session a person means: its id, the beginning of one, `latest`, `AGENT:ID`, or a journal.
///
/// Of several lives of one session the one that runs is meant, or else the newest.
struct SessionSearch {
    let sessions: [ListedSession]

    func find(_ text: String) throws(Failure) -> ListedSession {
        for candidates in [exact(text), latest(text), qualified(text), journals(text), prefixed(text)] {
            let distinct = onePerSession(candidates)
            if distinct.count == 1 { return distinct[0] }
            if distinct.count > 1 { throw ambiguous(text, distinct) }
        }
        throw Failure(message: unknown(text), status: Failure.unknownSession)
    }

    private func exact(_ text: String) -> [ListedSession] { sessions.filter { $0.id == text } }

    private func latest(_ text: String) -> [ListedSession] { text == "latest" ? Array(sessions.prefix(1)) : [] }

    private func qualified(_ text: String) -> [ListedSession] {
        sessions.filter { "\($0.agent):\($0.id)" == text }
    }

    private func journals(_ text: String) -> [ListedSession] { sessions.filter { $0.journal == text } }

    private func prefixed(_ text: String) -> [ListedSession] {
        text.isEmpty ? [] : sessions.filter { $0.id.hasPrefix(text) }
    }

    private func onePerSession(_ candidates: [ListedSession]) -> [ListedSession] {
        var result: [ListedSession] = []
        for candidate in candidates {
            let rivals = result.filter { $0.id == candidate.id && $0.agent == candidate.agent }
            if rivals.isEmpty || (candidate.isLive && rivals.allSatisfy(\.isLive)) {
                result.append(candidate)
            } else if candidate.isLive {
                result.removeAll { $0.id == candidate.id && $0.agent == candidate.agent }
                result.append(candidate)
            }
        }
        return result
    }

    private func ambiguous(_ text: String, _ candidates: [ListedSession]) -> Failure {
        let lines = candidates.prefix(20).map { candidate -> TerminalText in
            let isAlone = candidates.filter { $0.id == candidate.id && $0.agent == candidate.agent }.count == 1
            let name = isAlone ? "\(candidate.agent):\(candidate.id)" : candidate.journal
            return "  \(Table.cell(name))  \(candidate.state)  \(Table.cell(candidate.title, limit: 40))"
        }
        let rest: [TerminalText] =
            candidates.count > lines.count ? ["  and \(candidates.count - lines.count) more"] : []
        return Failure(
            message: "'\(text)' fits \(candidates.count) sessions; name one of them:\n"
                + (lines + rest).joined(separator: "\n"))
    }

    private func unknown(_ text: String) -> TerminalText {
        if sessions.isEmpty { return "there is no session yet; an agent started with `acpbridge -- COMMAND` makes one" }
        return "no session '\(text)'; `acpbridge sessions --all` lists those there are"
    }
}
