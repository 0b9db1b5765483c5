import ACPMethods
import FieldLimits
import JSONRPC
import JSONScan

/// The reason why a remote client's request is not forwarded to the agent.
package struct ClientRefusal: Error, Equatable {
    package enum Reason: Equatable {
        case turnIsRunning(since: Int64, by: String?)
        case queueIsFull
        case tooManyRequests
        case inputIsFull
        case idInUse
        case notYourAgent
        case idTooLong
        /// The session is a child of another session. It takes no requests.
        case childSession
    }
    package let reason: Reason
    package let message: String

    /// The refusal of a message to an agent that does not read what it gets.
    package static let inputIsFull = ClientRefusal(
        reason: .inputIsFull,
        message: "the agent does not read its input, and 64 MiB wait for it already; try again or stop it")

    /// The refusal of a login or logout by a client that is not the primary. Nil for other methods.
    package static func ofLogin(_ method: String) -> ClientRefusal? {
        switch ACPMethod(named: method) {
        case .authenticate, .logout, .authLogin, .authLogout:
            ClientRefusal(
                reason: .notYourAgent,
                message: "\(method) changes the login of the agent for all its sessions, so only the client whose "
                    + "agent it is can ask for it; log in from that client, or with the agent's own command")
        default: nil
        }
    }
}

extension RequestRouter {
    /// The requests that every client with the right to control can send for another client's session.
    private static let controllerMethods: Set<ACPMethod> = [
        .sessionPrompt, .sessionSetMode, .sessionSetConfigOption, .sessionSetModel, .terminalCancel, .toolCallCancel,
    ]

    /// The remote client that has the role of the editor, if the agent has no editor.
    package var primary: ClientNumber? { clients.primary }
    /// The name of the primary.
    package var primaryName: String? { primary.flatMap { clients.name(of: $0) } }
    /// The remote clients, in the order in which they came.
    package var clientNumbers: [ClientNumber] { clients.numbers }

    /// True if a remote client is the primary, or has joined the session.
    package func isFollowed(_ session: String) -> Bool {
        clientNumbers.contains { clients.follows($0, anyOf: [session]) }
    }

    // MARK: Joining and leaving

    package mutating func clientAttached(_ client: ClientNumber, name: String) { clients.add(client, name: name) }

    /// Adds the remote client to the session and sends it the open permission requests and elicitations of the session
    /// and its descendants.
    package mutating func clientJoined(_ client: ClientNumber, session: String) -> [Event] {
        clients.join(client, session)
        let (clients, children) = (clients, children)
        let opened = children.generations(below: session).compactMap { child in
            children.parent(of: child).map {
                Event.delivery(.childToClient(client, child: child, parent: $0, isNew: false))
            }
        }
        return opened
            + pending.ask(client) { request in
                request.isPending && !request.line.isEmpty
                    && clients.isAsked(client, request, ancestors: request.session.map(children.ancestors) ?? [])
            }.map { .delivery(.toClient(client, $0.line, session: $0.session)) }
    }

    /// Removes a remote client and its waiting prompts. The answers to its requests will be dropped; the agent's
    /// requests to it wait for other clients.
    package mutating func clientLeft(_ client: ClientNumber) -> [Event] {
        let lacked = primary == client && !missingCapabilities.isEmpty
        clients.remove(client)
        open.dropAnswers { $0.isClient(client) }
        pending.clientLeft(client)
        return dropQueued { $0.asker.isClient(client) } + refuseUnsupported()
            + (lacked ? [.fact(.capabilitiesChanged)] : [])
    }

    /// Ends all open requests with `message` as the error, drops the waiting prompts and closes the dialogs of clients, because
    /// the agent has ended.
    package mutating func agentEnded(_ message: String) -> [Event] {
        let reply = Reply(error: .internalError, message)
        var events = endAllDialogs() + dropQueued()
        for request in open.removeAll() { events += deliver(reply, to: request.asker, session: request.session) }
        for session in Array(works.sessions) {
            for prompt in works.remove(session) { events += deliver(reply, insertedBy: prompt.asker, session: session) }
        }
        return events
    }

    /// Makes `client` the primary and sends it the agent's open requests that it has not received yet. A request
    /// without its line cannot be sent; only a permission can then still be answered.
    ///
    /// - Parameter capabilities: The client's capabilities. Nil if they are not known, or if the agent is initialized with
    ///   them: the client then gets all requests.
    package mutating func clientTookOver(
        _ client: ClientNumber, announcing capabilities: Set<ClientCapability>? = nil
    ) -> [Event] {
        clients.makePrimary(client, announcing: capabilities)
        let missing = missingCapabilities
        var events = refuse("this request was too long to be kept") { $0.isUnserved && $0.line.isEmpty }
        events += answerWithdrawn { !$0.askedClients.contains(client) } + refuseUnsupported()
        let asked = pending.ask(client) { request in
            !request.line.isEmpty && request.neededCapability.map(missing.contains) != true
        }
        events += asked.map { .delivery(.toClient(client, $0.line, session: $0.session)) }
        return events + (missing.isEmpty ? [] : [.fact(.capabilitiesChanged)])
    }

    // MARK: Messages from remote clients

    /// Handles a request from a remote client. The agent receives it under an id of the bridge's own, and the remote client
    /// receives the answer under its own id.
    package mutating func clientRequested(
        _ client: ClientNumber, _ id: RequestID, _ method: String, _ params: JSONValue?, at now: Int64
    ) throws(ClientRefusal) -> [Event] {
        guard id.byteCount <= Self.idLimitBytes else {
            throw ClientRefusal(
                reason: .idTooLong, message: "the id of this request is longer than \(Self.idLimitBytes) bytes")
        }
        let session = params?["sessionId"]?.publishedSessionId
        let openCount = open.count(of: client)
        guard openCount < Self.clientRequestsLimit, open.count < Self.openRequestsLimit else {
            throw ClientRefusal(
                reason: .tooManyRequests, message: "\(openCount) requests are open; wait for their answers")
        }
        let known = ACPMethod(named: method)
        guard primary == client || known.map(Self.controllerMethods.contains) == true else {
            throw ClientRefusal.ofLogin(method)
                ?? ClientRefusal(reason: .notYourAgent, message: "only the agent's primary can send \(method)")
        }
        if let session { try refuseChild(session) }
        let asker = Asker.client(client, id: id)
        guard !awaitsAnswer(asker) else {
            throw ClientRefusal(reason: .idInUse, message: "the id of this request is in use by one that is open")
        }
        if known == .sessionPrompt, let session, primary != client {
            return try prompt(session, params, asker, queues: Self.asksToQueue(params), at: now)
        }
        let raw = params.map { Array($0.rawText) }
        return send(method, raw, session: session, asker: asker, at: now)
    }

    /// Throws for a child session. A client can answer a child's requests and, if the agent allows it, cancel the child.
    private func refuseChild(_ session: String) throws(ClientRefusal) {
        if let refusal = childRefusal(session) { throw refusal }
    }

    /// The reason why a child session takes no requests of clients. Nil for other sessions.
    package func childRefusal(_ session: String) -> ClientRefusal? {
        children.parent(of: session).map { parent in
            ClientRefusal(
                reason: .childSession,
                message: "this session is a child of \(parent.prefix(scalars: 100)), which alone can send it requests")
        }
    }

    /// The session's children, their children, and so on: each parent before its children.
    package func descendants(of session: String) -> [String] { children.generations(below: session) }

    /// True if the session is a descendant of the other one.
    package func isChild(_ child: String, below session: String) -> Bool {
        children.ancestors(of: child).contains(session)
    }

    /// True while the agent allows `session/cancel` of the child session.
    package func canBeCancelled(child: String) -> Bool { children.canBeCancelled(child) }

    /// The child's state in its parent's latest report: `{"state":"running"}`. Nil if there is none.
    package func reportedState(ofChild child: String) -> [UInt8]? { children.state(of: child) }

    /// True if the agent has announced child sessions.
    package var hasChildren: Bool { !children.isEmpty }

    private func awaitsAnswer(_ asker: Asker) -> Bool {
        open.id(of: asker) != nil || turns.isWaiting(asker)
    }

    /// True if a request of the remote client has no answer yet, or waits for its turn.
    package func owesAnswer(to client: ClientNumber) -> Bool {
        open.count(of: client) > 0 || turns.isAnyWaiting(of: client)
    }

    // MARK: Requests of the bridge's own

    /// Sends a request for a client that does not speak ACP itself.
    ///
    /// - Parameter number: The request's number, under which its answer is delivered.
    package mutating func bridgeRequests(
        _ number: Int, _ method: String, _ params: JSONValue?, by name: String, at now: Int64
    ) -> [Event] {
        clients.nameRequester(number, name)
        return send(
            method, params.map { Array($0.rawText) }, session: params?["sessionId"]?.stringValue,
            asker: .bridge(number), at: now)
    }

    /// Sends a prompt for a client that does not speak ACP itself.
    package mutating func bridgePrompts(
        _ number: Int, _ session: String, _ params: JSONValue, by name: String, queues: Bool, at now: Int64
    ) throws(ClientRefusal) -> [Event] {
        clients.nameRequester(number, name)
        do throws(ClientRefusal) {
            return try prompt(session, params, .bridge(number), queues: queues, at: now)
        } catch {
            clients.forgetRequester(number)
            throw error
        }
    }

    // MARK: Sending

    /// Sends a prompt for a client that is not the primary. If a turn is running, the prompt waits or is refused,
    /// because the agent should not have to handle two prompts at once.
    mutating func prompt(
        _ session: String, _ params: JSONValue?, _ asker: Asker, queues: Bool, at now: Int64
    ) throws(ClientRefusal) -> [Event] {
        let raw = params.map { Array($0.rawText) } ?? Array("{}".utf8)
        try refuseChild(session)
        guard !isReady(session) else {
            return send(ACPMethod.sessionPrompt.name, raw, session: session, asker: asker, at: now)
        }
        guard queues else { throw turnIsRunning(in: session) }
        let prompt = QueuedPrompt(asker: asker, params: raw, by: clients.name(of: asker) ?? "", since: now)
        guard turns.enqueue(prompt, in: session) else {
            throw ClientRefusal(reason: .queueIsFull, message: "too many prompts wait in this session")
        }
        return [.fact(.queueChanged(id: session))]
    }

    private func turnIsRunning(in session: String) -> ClientRefusal {
        let (turn, work) = (turns.running(in: session), works[session])
        let asker = work.prompts.first?.asker
        let by = turn?.by ?? asker.flatMap { clients.name(of: $0) }
        let name = by ?? nameOfUnnamed(turn == nil ? asker : .editor)
        // Some editors show only the requests of their own turns.
        let isBlocked = pending.permissions.contains { $0.session == session }
        let state = isBlocked ? "running, and waits for an answer (`acpbridge answer` gives it)" : "running"
        return ClientRefusal(
            reason: .turnIsRunning(since: turn?.since ?? work.turnSince, by: by),
            message: "a turn of \(name) is \(state); ask again with queue: true to wait for it")
    }

    /// - Parameter asker: The sender of a prompt, which has no name. Nil if the turn has none.
    private func nameOfUnnamed(_ asker: Asker?) -> String {
        switch asker {
        case nil: "the agent itself"
        case .editor where hasEditor: "the editor"
        default: "a client that has left"
        }
    }

    /// `"_meta":{"tinyvex":{"queue":true}}`
    private static func asksToQueue(_ params: JSONValue?) -> Bool {
        params?["_meta"]?["tinyvex"]?["queue"]?.boolValue == true
    }

    mutating func send(
        _ method: String, _ params: [UInt8]?, session: String?, asker: Asker, at now: Int64
    ) -> [Event] {
        let id = open.makeID()
        let line = JSONWriter.object { writer in
            writer.member("jsonrpc", "2.0")
            writer.member("id", id)
            writer.member("method", method)
            if let params { writer.member("params", raw: params) }
        }
        let value = params.flatMap { try? JSONValue(validating: $0) }
        return note(id, method, session: session, params: value, asker: asker, at: now) + [.delivery(.toAgent(line))]
            + (method == ACPMethod.sessionClose.name ? cancelRequests(byClosing: session, asker) : [])
    }

    /// An agent of version 1 that closes a session cancels its work first, as after `session/cancel`, and can wait for the
    /// answers to its requests. An agent of version 2 withdraws them itself.
    private mutating func cancelRequests(byClosing session: String?, _ asker: Asker) -> [Event] {
        guard let session, canCloseSessions, !isVersion2 else { return [] }
        let client: ClientNumber? = if case .client(let client, _) = asker { client } else { nil }
        let name = clients.name(of: asker) ?? ""
        return fromBelow(session).flatMap {
            answerAllCancelled(in: $0, by: name, client: client)
        }
    }

    /// Handles a notification from a remote client.
    package mutating func clientNotified(
        _ client: ClientNumber, _ method: String, _ params: JSONValue?, at now: Int64
    ) -> [Event] {
        switch ACPMethod(named: method) {
        case .sessionCancel:
            guard let session = params?["sessionId"]?.stringValue else { return [] }
            return (try? cancel(session, by: clients.name(of: client) ?? "", client: client, at: now)) ?? []
        case .cancelRequest:
            guard let id = params?["requestId"].flatMap(RequestID.init) else { return [] }
            return cancelRequest(of: client, id)
        default:
            guard primary == client else { return [] }
            return [.delivery(.toAgent(Self.notification(method, params)))]
        }
    }

    /// Cancels the turn of a session, or a child if the agent allows it.
    ///
    /// In version 1 of ACP, the agent's open permission requests and elicitations in the session are answered as
    /// cancelled. In version 2 the agent withdraws those that belong to the cancelled work: the others belong to
    /// background work, which continues.
    ///
    /// - Parameter client: The remote client that cancels. It knows that its requests are cancelled and is not notified.
    package mutating func cancel(
        _ session: String, by name: String, client: ClientNumber? = nil, at now: Int64
    ) throws(ClientRefusal) -> [Event] {
        if !children.canBeCancelled(session) { try refuseChild(session) }
        let notice = MessageText.notification(method: ACPMethod.sessionCancel.name) { $0.member("sessionId", session) }
        let sent: [Event] = [.delivery(.toAgent(notice))]
        guard isVersion2 else { return sent + answerAllCancelled(in: session, by: name, client: client) }
        pending.setCancelled(at: now) { $0.session == session && $0.isPending && $0.cancelledAt == nil }
        return sent
    }

    private mutating func cancelRequest(of client: ClientNumber, _ id: RequestID) -> [Event] {
        let asker = Asker.client(client, id: id)
        if let ours = open.id(of: asker) { return [.delivery(.toAgent(Self.cancelling(ours)))] }
        return dropQueued { $0.asker == asker }
    }

    private static func notification(_ method: String, _ params: JSONValue?) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("jsonrpc", "2.0")
            writer.member("method", method)
            if let params { writer.member("params", raw: params.rawText) }
        }
    }
}
