import ACPRouting
import AgentQuestions
import BridgeRequests
import CommandContext
import JSONScan
import SessionRecords
import SessionText
import TerminalIO
import TerminalText
import TinyvexMachine
import TinyvexSync

/// A permission request or an elicitation that waits for an answer, as the bridge lists it.
struct WaitingRequest: Sendable {
    enum Asker: Sendable, Equatable {
        case session(String)
        /// The agent's process id. The request is an elicitation about another request, such as a login.
        case process(Int64)

        /// The name of the asker in the command's list and arguments: the session's id, or for example `pid:4711`.
        var name: String {
            switch self {
            case .session(let id): id
            case .process(let id): "pid:\(id)"
            }
        }
    }

    let asker: Asker
    let agent: String
    /// The agent's request id as JSON text.
    let id: [UInt8]
    let isPermission: Bool
    /// Milliseconds since 1970.
    let time: Int64
    /// Nil if the bridge left out the details because of their size, or if the kind is unknown.
    let question: AgentQuestion?
    /// The id of the tool call that a permission request is about; nil if it is about none.
    fileprivate let toolCallId: String?
    /// The row as JSON text. It is a copy, so that the page it came from can be freed.
    private let row: [UInt8]
    /// Names the incarnation of the session. Several can have one id. Nil while the session is not stored yet.
    private let journal: String?
    /// The bridge that has the session; nil for the bridge that answers.
    fileprivate let bridge: String?

    /// - Parameter row: An element of `permissions:pending` or `elicitations:pending`.
    init?(_ row: JSONValue, isPermission: Bool) {
        guard let agent = row["agent"]?.stringValue, let id = row["requestId"] else { return nil }
        let process = row["pid"]?.int64Value
        if let session = row["sessionId"]?.stringValue {
            asker = .session(session)
        } else if let process {
            asker = .process(process)
        } else {
            return nil
        }
        self.agent = agent
        self.id = Array(id.rawText)
        self.isPermission = isPermission
        journal = row["journal"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        bridge = row["bridge"]?.stringValue
        time = (row["askedTs"] ?? row["createdTs"])?.int64Value ?? 0
        let params = row["params"] ?? row
        question = AgentQuestion(requestId: id, params: params, process: process)
        toolCallId = isPermission ? PermissionParams.toolCall(in: params)?["toolCallId"]?.stringValue : nil
        self.row = JSONWriter.object { writer in
            writer.member("kind", isPermission ? "permission" : "elicitation")
            for (name, value) in row.members where name != "nextCursor" { writer.member(name, raw: value.rawText) }
        }
    }

    /// The asker among those of all bridges: sessions of one id can be of several agents, bridges or incarnations.
    fileprivate var place: Place { Place(bridge: bridge, agent: agent, asker: asker.name, journal: journal) }

    struct Place: Hashable {
        let bridge: String?
        let agent: String
        let asker: String
        let journal: String?

        fileprivate func isOfSameName(as other: Place) -> Bool {
            bridge == other.bridge && agent == other.agent && asker == other.asker
        }
    }

    /// Whether this is a request of the session, in any incarnation or in the named one.
    fileprivate func isAsked(by session: AskingSession) -> Bool {
        guard agent == session.agent, bridge == session.bridge, asker == .session(session.id) else { return false }
        guard let named = session.journal, let journal else { return true }
        return Journal(named)?.incarnation == Journal(journal)?.incarnation
    }

    /// Writes the members that identify the asker.
    func writeAsker(to writer: inout JSONWriter) {
        switch asker {
        case .session(let id):
            writer.member("sessionId", id)
            writer.member("agent", agent)
            writer.member("journal", ifPresent: journal)
        case .process(let id): writer.member("pid", id)
        }
    }

    /// The row with its `kind`, as JSON text.
    var json: [UInt8] { row }

    /// The command and the changes of files that a permission request is about, as whole lines.
    ///
    /// - Parameter call: The request's tool call, as ``CommandClient/toolCall(of:)`` returns it.
    func details(_ call: JSONValue?, hasColour: Bool) -> TerminalText {
        guard isPermission, let row = try? JSONValue(validating: row) else { return "" }
        return SessionRenderer.details(ofRequest: row["params"] ?? row, earlier: call, hasColour: hasColour)
    }

    /// The request id as a person types it.
    var shownId: String {
        (try? JSONValue(validating: id)).map { $0.stringValue ?? $0.rawString } ?? String(decoding: id, as: UTF8.self)
    }

    /// Whether the text that a person typed names this request.
    func isNamed(_ text: String) -> Bool { id.elementsEqual(text.utf8) || shownId == text }

    /// Returns the answer to send. Without the details of a request, the bridge and the agent check the answer.
    func answer(_ reply: QuestionReply) throws(AnswerFault) -> QuestionAnswer {
        if let question { return try question.answer(reply) }
        switch (reply, isPermission) {
        case (.option(let id), true): return .option(id)
        case (.cancel, true): return .cancelledPermission
        case (.cancel, false): return .cancel
        case (.decline, false): return .decline
        default: throw AnswerFault("the bridge does not list the details of this request; only --cancel is possible")
        }
    }
}

extension CommandClient {
    /// All requests that wait for an answer, the longest waiting first. An older bridge lists permission requests only.
    func waitingRequests() async throws -> [WaitingRequest] {
        let permissions = try await pendingPermissions().compactMap { WaitingRequest($0, isPermission: true) }
        return try await (permissions + elicitations()).sorted { $0.time < $1.time }
    }

    private func elicitations(of session: (id: String, agent: String)? = nil) async throws -> [WaitingRequest] {
        try await pendingElicitations(of: session).compactMap { WaitingRequest($0, isPermission: false) }
    }

    /// The tool call of a permission request, merged from its updates. A request can name it by its id only, in particular in
    /// version 2 of ACP. Nil if the request is about none, or if the bridge does not have it.
    func toolCall(of request: WaitingRequest) async throws(BridgeFailure) -> JSONValue? {
        guard let id = request.toolCallId, case .session = request.asker else { return nil }
        do throws(BridgeFailure) {
            let session = try await value("sessions:get") { request.writeAsker(to: &$0) }
            return session["toolCalls"]?.elements.last { $0["toolCallId"]?.stringValue == id }
        } catch {
            // The session can have ended, or an older bridge does not have the query.
            guard case .server = error.error else { throw error }
            return nil
        }
    }

    /// Sends an answer to the agent. The bridge refuses it if another client was faster.
    func send(_ answer: QuestionAnswer, to request: WaitingRequest) async throws(BridgeFailure) {
        let arguments = JSONWriter.object { writer in
            request.writeAsker(to: &writer)
            writer.member("requestId", raw: request.id)
            answer.write(to: &writer)
        }
        try await mutation(answer.mutation, args: arguments)
    }

    /// The requests of the session that a user named, those of its subagents, and those of its agent that have no
    /// session. A name such as `pid:4711` selects the latter alone, and `latest` the one that asked last.
    func requests(of name: String, among requests: [WaitingRequest]) async throws -> [WaitingRequest] {
        let latest = name == "latest" ? requests.max { $0.time < $1.time } : nil
        let name = latest?.asker.name ?? name
        let exact = requests.filter { $0.asker.name == name }
        if case .process = exact.first?.asker { return exact }
        let root = try await askingSession(name, exact)
        let others = requests.filter { request in
            request.agent == root.agent && request.bridge == root.bridge
                && (request.asker != .session(root.id) || request.isAsked(by: root))
        }
        guard others.contains(where: { $0.asker != .session(root.id) }) else { return others }
        let processes = try await elicitations(of: (root.id, root.agent)).map(\.asker)
        let parents = try await parents(of: root)
        return others.filter { request in
            switch request.asker {
            case .session(let id): parents.contains(root.id, above: id)
            case .process: processes.contains(request.asker)
            }
        }
    }

    /// - Parameter requests: Those of sessions with the name as their id. If they are of one session, it is meant. Without
    ///   such requests, the name must be that of one session.
    private func askingSession(_ name: String, _ requests: [WaitingRequest]) async throws -> AskingSession {
        let places = Self.places(of: requests)
        // A list of sessions can lack one that has asked, so it cannot name them all.
        guard places.count <= 1 else { throw Self.ambiguity(of: name, places) }
        if let place = places.first {
            return AskingSession(id: name, agent: place.agent, bridge: place.bridge, journal: nil)
        }
        let session = try await session(name)
        return AskingSession(
            id: session.id, agent: session.agent, bridge: session.bridge,
            journal: session.isNamedIncarnation ? session.journal : nil)
    }

    /// The list of elicitations is read after that of permissions, so a session can have been stored meanwhile.
    private static func places(of requests: [WaitingRequest]) -> Set<WaitingRequest.Place> {
        let places = Set(requests.map(\.place))
        return places.filter { place in
            place.journal != nil || !places.contains { $0.journal != nil && $0.isOfSameName(as: place) }
        }
    }

    private static func ambiguity(of name: String, _ places: Set<WaitingRequest.Place>) -> Failure {
        let names = places.map { place -> TerminalText in
            let bridge = place.bridge.map { Table.cell($0, limit: 24) } ?? "this bridge"
            return
                "\(Table.cell(place.journal ?? "(not stored yet)")) (\(Table.cell(place.agent, limit: 24)), \(bridge))"
        }
        return Failure(
            message:
                "\(places.count) sessions with the id '\(Table.cell(name))' wait for an answer; name one by its journal: "
                + names.sorted { $0.text < $1.text }.joined(separator: ", "), status: Failure.unknownSession)
    }

    private func parents(of root: AskingSession) async throws -> SessionParents {
        var parents = SessionParents()
        try await eachSession {
            $0.member("live", true)
        } _: { page in
            for session in page where session.agent == root.agent && session.bridge == root.bridge {
                parents.add(session)
            }
            return true
        }
        return parents
    }
}

/// The session whose requests a user wants to see or answer.
private struct AskingSession {
    let id: String
    let agent: String
    /// Nil for the bridge that answers.
    let bridge: String?
    /// Nil for each incarnation.
    let journal: String?
}

/// The parents of an agent's subagents.
private struct SessionParents {
    private var parents: [String: String] = [:]
    /// A malformed list could have a cycle.
    private static let depthLimit = 100

    mutating func add(_ session: ListedSession) { parents[session.id] = session.parentId }

    /// Whether the session is `root` or one of its subagents, at any depth.
    func contains(_ root: String, above session: String) -> Bool {
        var next: String? = session
        for _ in 0..<Self.depthLimit {
            guard let current = next else { return false }
            if current == root { return true }
            next = parents[current]
        }
        return false
    }
}
