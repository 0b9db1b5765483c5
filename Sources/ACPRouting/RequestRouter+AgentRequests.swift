import ACPMethods
import JSONRPC
import JSONScan

/// The requests from the agent, and their answers.
extension RequestRouter {
    /// The permission requests that wait for an answer, in order.
    package var pendingPermissions: [AgentRequest] { pending.permissions }
    /// The elicitations that wait for an answer, in order. Those about requests have no session.
    package var pendingElicitations: [AgentRequest] { pending.elicitations }
    /// The number of permission requests and elicitations that wait for an answer.
    package var pendingCount: Int { pending.isEmpty ? 0 : pending.permissions.count + pending.elicitations.count }

    /// The session of a permission request or an elicitation that waits for an answer.
    package func sessionOfPending(_ id: RequestID) -> String? {
        pending.first(under: id).flatMap { $0.isPending ? $0.session : nil }
    }

    // MARK: Requests from the agent

    mutating func agentSent(
        _ id: RequestID?, _ envelope: Envelope, _ line: Span<UInt8>, at now: Int64
    ) -> [Event] {
        guard let id else { return agentNotified(envelope, line) }
        let session = Self.session(envelope, line)
        let method = envelope.string(in: line, at: envelope.method) ?? ""
        let isFull = hasEditor && pending.isFull
        if let (client, request) = concernedClient(by: envelope, line) {
            // The editor does not receive it either.
            if isFull { return [.delivery(.toAgent(Self.tooMany.text(id: id)))] }
            return [askAlone(client, request, id, method, envelope, line, at: now)] + refuseOldest()
        }
        if isFull { return [] }
        let params = params(method, envelope, line)
        let isPermission = method == ACPMethod.sessionRequestPermission.name
        var request = AgentRequest(
            id: id, method: method, session: session, line: kept(line),
            params: isPermission ? PermissionParams.bounded(params) : ElicitationParams.bounded(params), since: now,
            options: isPermission && !params.isEmpty ? Self.options(envelope, line) : [], number: pending.makeNumber())
        let ancestors = session.map(children.ancestors) ?? []
        request.askedClients = Set(
            clients.numbers.filter {
                clients.isAsked($0, request, ancestors: ancestors) && !lacksCapability($0, for: request)
            })
        pending.add(request)
        var events: [Event] = []
        if let session, request.isShared {
            let body = Self.body(id, params)
            let fact =
                isPermission
                ? Fact.permissionAsked(id: session, request: body) : .elicitationAsked(id: session, request: body)
            events.append(.fact(fact))
        }
        events += request.askedClients.sorted().map {
            .delivery(.toClient($0, request.line, session: session))
        }
        return events + refuseUnsupported() + refuseOldest()
    }

    /// The editor receives the request directly. The line is kept for a client that replaces the editor, if there is
    /// room.
    private func kept(_ line: Span<UInt8>) -> [UInt8] {
        if hasEditor, !pending.hasRoom(forLineBytes: line.count) { return [] }
        return Self.bytes(line, 0..<line.count)
    }

    private static let tooMany = Reply(error: .internalError, "too many requests wait for a client")

    /// Refuses the oldest requests over the limit while no editor is connected. A client that has the agent, and reads none
    /// of its requests, must not fill the memory.
    private mutating func refuseOldest() -> [Event] {
        var events: [Event] = []
        while !hasEditor, pending.isOverLimit {
            events += answer(at: 0, Self.tooMany, by: "size limit", client: nil)
        }
        return events
    }

    /// The params of a permission request or an elicitation. Empty for other requests.
    private func params(_ method: String, _ envelope: Envelope, _ line: Span<UInt8>) -> [UInt8] {
        let isShared = method == ACPMethod.sessionRequestPermission.name || method == ACPMethod.elicitationCreate.name
        guard isShared, let range = envelope.params else { return [] }
        return Self.bytes(line, range)
    }

    private static func options(_ envelope: Envelope, _ line: Span<UInt8>) -> Set<String> {
        let options = value(line, envelope.params)?["options"]?.elements ?? []
        return Set(
            options.prefix(PermissionParams.optionLimit).compactMap {
                $0["optionId"]?.stringValue?.within(bytes: PermissionParams.optionIdLimitBytes)
            })
    }

    private static func body(_ id: RequestID, _ params: [UInt8]) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("requestId", id)
            writer.member("params", raw: params)
        }
    }

    /// If there is an editor, it has the request and can answer it. Otherwise the agent receives an error, because no
    /// other client could answer.
    func refuseLongID(_ envelope: Envelope, _ line: Span<UInt8>) -> [Event] {
        guard envelope.method != nil, !hasEditor, let id = envelope.id.flatMap({ RequestID(in: line, at: $0) }) else {
            return []
        }
        let message = "the id of this request is longer than \(Self.idLimitBytes) bytes"
        return [.delivery(.toAgent(Reply(error: .invalidRequest, message).text(id: id)))]
    }

    private mutating func agentNotified(_ envelope: Envelope, _ line: Span<UInt8>) -> [Event] {
        let text = Self.bytes(line, 0..<line.count)
        let session = Self.session(envelope, line)
        guard envelope.string(in: line, at: envelope.method) == ACPMethod.cancelRequest.name,
            let id = Self.value(line, envelope.params)?["requestId"].flatMap(RequestID.init),
            let index = pending.index(where: { $0.id == id })
        else { return primary.map { [.delivery(.toClient($0, text, session: session))] } ?? [] }
        return withdraw(at: index, text)
    }

    // MARK: Withdrawn requests

    /// Closes the dialogs of a request that the agent has withdrawn. The agent still waits for one answer, from the
    /// editor or the primary; without both, the answer is given here.
    private mutating func withdraw(at index: Int, _ notification: [UInt8]) -> [Event] {
        let request = pending.requests[index]
        guard request.isWithdrawn != true else { return [] }
        pending.withdraw(at: index)
        let reply = Reply(error: .requestCancelled, "the agent withdrew the request")
        var events = settled(request, reply, by: "agent")
        events += request.askedClients.sorted().map {
            .delivery(.toClient($0, notification, session: request.session))
        }
        return events + answerOrphanedWithdrawals()
    }

    /// True if the agent waits for the answer to a withdrawn request, and no client has to give it.
    var hasOrphanedWithdrawals: Bool { !hasEditor && primary == nil && pending.hasWithdrawn }

    /// Answers the withdrawn requests that no client will answer.
    mutating func answerOrphanedWithdrawals() -> [Event] {
        hasOrphanedWithdrawals ? answerWithdrawn { _ in true } : []
    }

    mutating func answerWithdrawn(where matches: (AgentRequest) -> Bool) -> [Event] {
        var events: [Event] = []
        while let index = pending.index(where: { $0.isWithdrawn == true && matches($0) }) {
            let request = pending.remove(at: index)
            events.append(.delivery(.toAgent(request.cancelledReply.text(id: request.id))))
        }
        return events
    }

    // MARK: Elicitations bound to a request

    /// The remote client that sent the request to which an elicitation refers, with the id of that request. Other
    /// clients must not see the elicitation.
    func concernedClient(by envelope: Envelope, _ line: Span<UInt8>) -> (client: ClientNumber, request: RequestID)? {
        guard envelope.string(in: line, at: envelope.method) == ACPMethod.elicitationCreate.name,
            let id = Self.value(line, envelope.params)?["requestId"].flatMap(RequestID.init),
            case .client(let client, let original)? = open[id]?.asker
        else { return nil }
        return (client, original)
    }

    /// Sends an elicitation to one remote client. Its `requestId` is replaced by the id that the remote client gave its
    /// request.
    private mutating func askAlone(
        _ client: ClientNumber, _ request: RequestID, _ id: RequestID, _ method: String, _ envelope: Envelope,
        _ line: Span<UInt8>, at now: Int64
    ) -> Event {
        let params = JSONWriter.object { writer in
            for (name, value) in Self.value(line, envelope.params)?.members ?? [] {
                if name == "requestId" { writer.member(name, request) } else { writer.member(name, raw: value.rawText) }
            }
        }
        let text = JSONWriter.object { writer in
            writer.member("jsonrpc", "2.0")
            writer.member("id", id)
            writer.member("method", method)
            writer.member("params", raw: params)
        }
        let kept = hasEditor && !pending.hasRoom(forLineBytes: text.count) ? [] : text
        var asking = AgentRequest(
            id: id, method: method, session: nil, line: kept, params: ElicitationParams.bounded(params), since: now,
            options: [], number: pending.makeNumber())
        asking.askedClients = [client]
        asking.isForOneClient = true
        pending.add(asking)
        return .delivery(.toClient(client, text, session: nil))
    }

    // MARK: Answers to the agent

    /// Handles the editor's answer, which has already been forwarded to the agent.
    mutating func editorAnswered(_ id: RequestID, _ reply: Reply) -> [Event] {
        guard let index = pending.index(where: { $0.id == id }) else { return [] }
        let request = pending.remove(at: index)
        if request.isWithdrawn == true { return [] }
        return settled(request, reply, by: nil) + endDialogs(of: request, except: nil)
    }

    /// Handles a remote client's answer. The first valid answer wins, and the agent receives only that one.
    package mutating func clientAnswered(
        _ client: ClientNumber, _ id: RequestID, _ reply: Reply
    ) throws(PermissionFault) -> [Event] {
        guard let index = pending.index(where: { $0.id == id && $0.askedClients.contains(client) }) else {
            throw .notPending
        }
        let request = pending.requests[index]
        if request.isWithdrawn == true, primary != client { throw .notPending }
        if request.isShared, primary != client { try request.check(reply) }
        return answer(at: index, reply, by: clients.name(of: client) ?? "", client: client)
    }

    /// Handles an answer that did not arrive as an ACP message.
    package mutating func answerPermission(
        _ session: String, _ id: RequestID, _ reply: Reply, by name: String
    ) throws(PermissionFault) -> [Event] {
        try answer(session, id, reply, by: name) { $0.isPermission }
    }

    /// Handles an answer to an elicitation that did not arrive as an ACP message.
    ///
    /// - Parameter session: Nil for an elicitation about a request.
    package mutating func answerElicitation(
        _ session: String?, _ id: RequestID, _ reply: Reply, by name: String
    ) throws(PermissionFault) -> [Event] {
        try answer(session, id, reply, by: name) { $0.isElicitation || $0.isRequestElicitation }
    }

    private mutating func answer(
        _ session: String?, _ id: RequestID, _ reply: Reply, by name: String, where matches: (AgentRequest) -> Bool
    ) throws(PermissionFault) -> [Event] {
        let index = pending.index { $0.id == id && $0.session == session && $0.isWithdrawn != true && matches($0) }
        guard let index else { throw .notPending }
        try pending.requests[index].check(reply)
        return answer(at: index, reply, by: name, client: nil)
    }

    mutating func answer(at index: Int, _ reply: Reply, by name: String, client: ClientNumber?) -> [Event] {
        let request = pending.remove(at: index)
        var events: [Event] = [.delivery(.toAgent(reply.text(id: request.id)))]
        if request.isWithdrawn == true { return events }
        events += settled(request, reply, by: name)
        if hasEditor, request.isShared || (request.isRequestElicitation && request.isForOneClient != true) {
            pending.expectStaleAnswer(request.id)
            events.append(.delivery(.toEditor(Self.cancelling(request.id))))
        }
        return events + endDialogs(of: request, except: client)
    }

    private func settled(_ request: AgentRequest, _ reply: Reply, by name: String?) -> [Event] {
        guard request.isShared, let session = request.session else { return [] }
        let answer = JSONWriter.object { writer in
            writer.member("requestId", request.id)
            reply.write(to: &writer)
            writer.member("by", ifPresent: name)
        }
        let fact =
            request.isPermission
            ? Fact.permissionAnswered(id: session, answer: answer) : .elicitationAnswered(id: session, answer: answer)
        return [.fact(fact)]
    }

    private func endDialogs(of request: AgentRequest, except winner: ClientNumber?) -> [Event] {
        request.askedClients.subtracting(winner.map { [$0] } ?? []).sorted().map {
            .delivery(.toClient($0, Self.cancelling(request.id), session: request.session))
        }
    }

    static func cancelling(_ id: RequestID) -> [UInt8] {
        MessageText.notification(method: ACPMethod.cancelRequest.name) { $0.member("requestId", id) }
    }

    // MARK: Answers without a client

    /// Answers all open permission requests and elicitations of a session as cancelled. Version 1 of ACP requires it of
    /// a client that cancels a turn.
    ///
    /// - Parameter client: The remote client that has cancelled the turn.
    mutating func answerAllCancelled(in session: String, by name: String, client: ClientNumber?) -> [Event] {
        var events: [Event] = []
        while let index = pending.index(where: { $0.session == session && $0.isPending }) {
            events += answer(at: index, pending.requests[index].cancelledReply, by: name, client: client)
        }
        return events
    }

    /// Ends the agent's requests about a session that the agent has closed. The clients' dialogs close, and the agent gets
    /// one answer to each request, as after a cancellation.
    ///
    /// - Parameter asker: The client that had the session closed. An editor that did it answers its requests itself, as after
    ///   its own cancellation. An editor also answers those that no other client can answer.
    mutating func endRequests(about session: String, closedBy asker: Asker) -> [Event] {
        var events: [Event] = []
        while let index = pending.index(where: { $0.session == session }) {
            let request = pending.requests[index]
            guard hasEditor, asker == .editor || !request.isPending else {
                events += answer(at: index, request.cancelledReply, by: "agent", client: nil)
                continue
            }
            _ = pending.remove(at: index)
            guard request.isWithdrawn != true else { continue }
            events += settled(request, request.cancelledReply, by: "agent") + endDialogs(of: request, except: nil)
        }
        return events
    }

    /// Closes the dialogs of all requests, because the agent has ended. Nobody gets an answer.
    mutating func endAllDialogs() -> [Event] {
        var events: [Event] = []
        while !pending.isEmpty {
            let request = pending.remove(at: 0)
            if request.isWithdrawn != true { events += endDialogs(of: request, except: nil) }
        }
        return events
    }

    /// Answers requests as cancelled if their work was cancelled some time ago and their turn still runs. In an idle
    /// session the cancelled work has ended, so its requests belong to background work.
    mutating func answerCancelled(at now: Int64) -> [Event] {
        guard pending.hasCancelled else { return [] }
        let works = works
        pending.setCancelled(at: nil) { request in !(request.session.map { works[$0].isInTurn } ?? false) }
        var events: [Event] = []
        while let index = pending.index(where: {
            $0.cancelledAt.map { now - $0 >= Self.withdrawalLimitMilliseconds } == true
        }) {
            events += answer(at: index, pending.requests[index].cancelledReply, by: "time limit", client: nil)
        }
        return events
    }

    /// True if the agent waits for an answer of a client.
    package var hasQuestions: Bool { !pending.isEmpty }

    /// True if the agent waits for an answer and has neither an editor nor a primary.
    package var isUnattended: Bool { !hasEditor && primary == nil && !pending.isEmpty }

    /// Answers a permission request with `cancelled` if its time is over and no client has the agent.
    package mutating func permissionLapsed(_ id: RequestID, since: Int64) -> [Event] {
        guard isUnattended,
            let index = pending.index(where: { $0.id == id && $0.since == since && $0.isPermission })
        else { return [] }
        return answer(at: index, pending.requests[index].cancelledReply, by: "time limit", client: nil)
    }

    /// True if the agent waits for an answer that only a primary can give, and there is none.
    package var awaitsPrimary: Bool { !hasEditor && primary == nil && pending.requests.contains(where: \.isUnserved) }

    /// Answers the requests that only a primary could serve with `internalError`, so that the agent can continue.
    package mutating func refuseUnservable(_ message: String) -> [Event] {
        awaitsPrimary ? refuse(message, where: \.isUnserved) : []
    }

    /// Answers the matching requests with `internalError`.
    mutating func refuse(_ message: String, where matches: (AgentRequest) -> Bool) -> [Event] {
        var events: [Event] = []
        while let index = pending.index(where: matches) {
            let request = pending.remove(at: index)
            events.append(.delivery(.toAgent(Reply(error: .internalError, message).text(id: request.id))))
        }
        return events
    }
}
