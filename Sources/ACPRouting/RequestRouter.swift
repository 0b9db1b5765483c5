import ACPMethods
import FieldLimits
import JSONRPC
import JSONScan

/// Routes messages between an agent, its editor and its remote clients. It records the sender of each request, so that
/// the answer reaches that client, and derives the meaning of each line for the sessions. Pure: it receives lines and
/// returns events.
///
/// The editor and the agent are connected directly: their lines pass unchanged, under their own ids, and are only
/// observed here. A remote client's requests reach the agent under ids that are made here. These ids are strings that
/// no editor would choose, so that the answers can be distinguished. The agent's own ids are shown to all clients
/// unchanged.
package struct RequestRouter: Codable {
    /// The number of a remote client: a client that sends messages to the agent without being its editor.
    package typealias ClientNumber = Int

    /// The sender of a request to the agent. It receives the answer.
    package enum Asker: Equatable, Codable {
        case editor
        /// The id is the one that the remote client gave its request.
        case client(ClientNumber, id: RequestID)
        /// The bridge itself. The number identifies its request.
        case bridge(Int)
        /// The sender has gone. The answer will be received and dropped.
        case nobody

        /// The names in a hand-over's JSON. They stay the names of the first format.
        private enum CodingKeys: String, CodingKey {
            case editor, client = "guest", bridge, nobody
        }

        func isClient(_ number: ClientNumber) -> Bool { if case .client(number, _) = self { true } else { false } }
    }

    /// 1 KiB of JSON text. Requests with a longer id pass between the agent and its editor without being recorded.
    package static let idLimitBytes = 1 << 10
    /// More open requests than any editor has. Above this number, new requests pass without being recorded.
    package static let openRequestsLimit = 4096
    /// The maximum number of open requests of one remote client.
    static let clientRequestsLimit = 256

    /// The requests to the agent.
    var open: RequestsToAgent
    /// The requests from the agent.
    var pending = PendingRequests()
    var turns = PromptTurns()
    /// The sessions' work in version 2 of ACP, and the state of children in both versions.
    var works = SessionWorks()
    var children = ChildSessions()
    /// The version of ACP in the agent's last answer to `initialize`: 1 until then.
    package private(set) var version = 1
    /// True if the agent offers `session/close`. It is read from the same answer.
    private(set) var canCloseSessions = false
    /// The version of ACP in the last `initialize` of any client. Nil before it. A hand-over does not keep it, because it
    /// is used only until the agent answers.
    package private(set) var requestedVersion: Int64?
    /// The capabilities in the last `initialize` of any client. Nil before it, and in the state of an older bridge.
    private(set) var agentCapabilities: Set<ClientCapability>?
    var clients = RemoteClientRights()
    /// True while the agent's own editor is connected.
    var hasEditor: Bool

    /// - Parameter idPrefix: The start of every id made here. No client should be able to guess it.
    package init(idPrefix: String = "acpbridge-", hasEditor: Bool = true) {
        open = RequestsToAgent(idPrefix: idPrefix)
        self.hasEditor = hasEditor
    }

    /// True if the agent has answered all requests.
    package var isIdle: Bool { open.isEmpty }

    /// True while the agent has not answered a request to load or resume a session.
    package var isContinuingAny: Bool { open.isContinuingAny }

    /// True while the agent has not answered a request to load or resume the session.
    package func isContinuing(_ session: String) -> Bool { open.isContinuing(session) }

    /// True if the agent is repeating a session's history.
    package func isReplaying(_ session: String) -> Bool {
        open.replaying.contains(session)
    }

    /// True if some lines from the agent must not reach the editor.
    package var judgesAgent: Bool { open.hasOthersThanEditors }

    /// True if some lines from the editor must not reach the agent.
    package var judgesEditor: Bool { pending.expectsStaleAnswers }

    // MARK: The agent's answers

    /// Handles a line from the agent other than `session/update`, with its envelope.
    package mutating func agentWrote(_ line: Span<UInt8>, _ envelope: Envelope, at now: Int64 = 0) -> [Event] {
        guard envelope.shape == .object, !envelope.isAmbiguous else { return [] }
        if Self.hasLongID(envelope) { return refuseLongID(envelope, line) }
        let id = Self.id(envelope, line)
        if envelope.method != nil { return agentSent(id, envelope, line, at: now) }
        guard let id, let request = open.remove(id) else { return [] }
        let reply = Reply(envelope, line)
        if case .prompt(let session) = request.kind, isVersion2 {
            return promptAnswered(session, under: id, reply, by: request.asker, at: now)
        }
        if request.kind == .initialize { learnVersion(from: reply.result) }
        return meaning(of: request, under: id, reply, at: now)
            + deliver(reply, to: request.asker, session: request.session)
    }

    /// True if the agent speaks version 2 of ACP, or a later one.
    var isVersion2: Bool { version >= 2 }

    /// Reads the version from an answer to `initialize`. The last successful answer counts. An answer that is not kept
    /// changes nothing.
    package mutating func learnVersion(from result: [UInt8]?) {
        guard let result, let value = try? JSONValue(validating: result) else { return }
        version = value["protocolVersion"]?.int64Value.flatMap { Int(exactly: $0) } ?? 1
        canCloseSessions = ACPMethod.canCloseSessions(initializeResult: result)
    }

    /// Returns the delivery of an answer to the sender of the request. The editor receives its answers directly.
    mutating func deliver(_ reply: Reply, to asker: Asker, session: String?) -> [Event] {
        switch asker {
        case .editor, .nobody: return []
        case .client(let client, let id): return [.delivery(.toClient(client, reply.text(id: id), session: session))]
        case .bridge(let number):
            clients.forgetRequester(number)
            return [.delivery(.answered(number, reply))]
        }
    }

    private mutating func meaning(
        of request: OpenRequest, under id: RequestID, _ reply: Reply, at now: Int64
    ) -> [Event] {
        switch request.kind {
        case .prompt(let session): turnEnded(session, under: id, reply, at: now)
        case .close(let session): reply.result == nil ? [] : closed(session, by: request.asker)
        case .continuing(let session):
            Self.facts(shownBy: reply, to: request.kind).map(Event.fact)
                + childrenContinued(below: session, succeeded: reply.result != nil)
        case .initialize, .new, .mode, .option, .other:
            Self.facts(shownBy: reply, to: request.kind).map(Event.fact)
        }
    }

    /// The agent's answer ends the repetition of the children's histories as well.
    private mutating func childrenContinued(below session: String, succeeded: Bool) -> [Event] {
        children.generations(below: session).map { child in
            open.replayCompleted(child)
            return .fact(.continuationEnded(id: child, succeeded: succeeded))
        }
    }

    private mutating func closed(_ session: String, by asker: Asker) -> [Event] {
        fromBelow(session).flatMap { closedAlone($0, by: asker) }
    }

    /// The descendants of a session from the bottom up, and then the session.
    func fromBelow(_ session: String) -> [String] { children.generations(below: session).reversed() + [session] }

    /// - Parameter session: a session whose descendants are closed.
    private mutating func closedAlone(_ session: String, by asker: Asker) -> [Event] {
        var events = endRequests(about: session, closedBy: asker) + dropQueued(in: session)
        for prompt in works.remove(session) {
            events += deliver(
                Reply(error: .internalError, "the session was closed"), insertedBy: prompt.asker, session: session)
        }
        events += workChanged(session)
        children.remove(session)
        return events + [.fact(.sessionClosed(id: session))]
    }

    /// Returns the facts that an answer shows and that change nothing here.
    private static func facts(shownBy reply: Reply, to kind: OpenRequest.Kind) -> [Fact] {
        switch kind {
        case .initialize: return reply.result.map { [.initialized(result: $0)] } ?? []
        case .new(let cwd): return opened(reply, cwd: cwd)
        case .continuing(let session):
            let ended = Fact.continuationEnded(id: session, succeeded: reply.result != nil)
            return reply.result.map { [ended, .sessionSetUp(id: session, result: $0)] } ?? [ended]
        case .mode(let session, let mode): return reply.result == nil ? [] : [.modeSet(id: session, mode: mode)]
        case .option(let session):
            let options = reply.result.flatMap { try? JSONValue(validating: $0) }?["configOptions"]
            return options.map { [.optionsSet(id: session, options: Array($0.rawText))] } ?? []
        case .prompt, .close, .other: return []
        }
    }

    private static func opened(_ reply: Reply, cwd: String?) -> [Fact] {
        guard let result = reply.result, let value = try? JSONValue(validating: result),
            let session = value["sessionId"]?.publishedSessionId
        else { return [] }
        return [.sessionOpened(id: session, cwd: cwd), .sessionSetUp(id: session, result: result)]
    }

    // MARK: Repeated history

    /// True if the agent repeats the session's history before it answers: `session/load`, or version 2's
    /// `session/resume` with a place from which to repeat.
    private static func replays(_ method: ACPMethod?, _ params: JSONValue?) -> Bool {
        if method == .sessionLoad { return true }
        guard method == .sessionResume, let place = params?["replayFrom"] else { return false }
        return !place.isNull
    }

    /// Ends the repetition of a session's history before the agent's answer.
    package mutating func replayCompleted(_ session: String) { open.replayCompleted(session) }

    // MARK: Requests to the agent

    /// Records a request and returns its meaning. The request has been sent or is about to be sent.
    mutating func note(
        _ id: RequestID, _ method: String, session: String?, params: JSONValue?, asker: Asker, at now: Int64
    ) -> [Event] {
        let method = ACPMethod(named: method)
        let kind = OpenRequest.Kind(method, session: session?.within(bytes: FieldLimit.sessionIdBytes), params)
        let replays = Self.replays(method, params)
        let replayed: String? = if case .continuing(let session) = kind, replays { session } else { nil }
        open.add(OpenRequest(asker: asker, kind: kind), under: id, replaying: replayed)
        switch kind {
        case .continuing(let session):
            children.revokeGrants(below: session)
            let cwd = params?["cwd"]?.stringValue?.within(bytes: FieldLimit.folderBytes)
            return [.fact(.sessionContinued(id: session, cwd: cwd, replays: replays))]
        case .prompt(let session): return turnBegan(session, under: id, params, asker, at: now)
        case .initialize:
            requestedVersion = params?["protocolVersion"]?.int64Value
            agentCapabilities = ClientCapability.announced(in: params)
            return []
        case .new, .close, .mode, .option, .other: return []
        }
    }
}

extension OpenRequest.Kind {
    init(_ method: ACPMethod?, session: String?, _ params: JSONValue?) {
        switch (method, session) {
        case (.initialize, _): self = .initialize
        case (.sessionNew, _), (.sessionFork, _):
            self = .new(cwd: params?["cwd"]?.stringValue?.within(bytes: FieldLimit.folderBytes))
        case (.sessionLoad, let session?), (.sessionResume, let session?): self = .continuing(id: session)
        case (.sessionClose, let session?): self = .close(id: session)
        case (.sessionPrompt, let session?): self = .prompt(id: session)
        case (.sessionSetMode, let session?):
            let mode = params?["modeId"]?.stringValue?.within(bytes: SessionSetup.modeLimitBytes)
            self = mode.map { .mode(id: session, mode: $0) } ?? .other
        case (.sessionSetConfigOption, let session?): self = .option(id: session)
        default: self = .other
        }
    }
}

// MARK: - The hand-over

extension RequestRouter {
    /// The name in a hand-over's JSON. The parts write their own members into the same object. All names stay the names
    /// of the first format.
    private enum CodingKeys: String, CodingKey { case hasEditor, version, works, children, agentCapabilities }

    package init(from decoder: any Decoder) throws {
        open = try RequestsToAgent(from: decoder)
        pending = try PendingRequests(from: decoder)
        turns = try PromptTurns(from: decoder)
        clients = try RemoteClientRights(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        hasEditor = try container.decode(Bool.self, forKey: .hasEditor)
        // An older bridge did not hand these over.
        version = try container.decodeIfPresent(Int.self, forKey: .version) ?? 1
        works = try container.decodeIfPresent(SessionWorks.self, forKey: .works) ?? SessionWorks()
        children = try container.decodeIfPresent(ChildSessions.self, forKey: .children) ?? ChildSessions()
        agentCapabilities = try container.decodeIfPresent(Set<ClientCapability>.self, forKey: .agentCapabilities)
        for child in children.all { _ = workChanged(child) }
    }

    package func encode(to encoder: any Encoder) throws {
        try open.encode(to: encoder)
        try pending.encode(to: encoder)
        try turns.encode(to: encoder)
        try clients.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(hasEditor, forKey: .hasEditor)
        if version != 1 { try container.encode(version, forKey: .version) }
        if !works.isUnused { try container.encode(works, forKey: .works) }
        if !children.isEmpty { try container.encode(children, forKey: .children) }
        try container.encodeIfPresent(agentCapabilities, forKey: .agentCapabilities)
    }
}
