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
        case idInUse
        case notYourAgent
        case idTooLong
    }
    package let reason: Reason
    package let message: String
}

extension RequestRouter {
    /// The requests that every client with the right to control can send for another client's session.
    private static let controllerMethods: Set<ACPMethod> = [
        .sessionPrompt, .sessionSetMode, .sessionSetConfigOption, .sessionSetModel,
    ]

    /// The remote client that has the role of the editor, if the agent has no editor.
    package var primary: ClientNumber? { clients.primary }
    /// The name of the primary.
    package var primaryName: String? { primary.flatMap { clients.name(of: $0) } }
    /// The remote clients, in the order in which they came.
    package var clientNumbers: [ClientNumber] { clients.numbers }

    // MARK: Joining and leaving

    package mutating func clientAttached(_ client: ClientNumber, name: String) { clients.add(client, name: name) }

    /// Adds the remote client to the session and sends it the session's open permission requests.
    package mutating func clientJoined(_ client: ClientNumber, session: String) -> [Event] {
        clients.join(client, session)
        return pending.ask(client) { $0.session == session && $0.isPermission && !$0.line.isEmpty }.map {
            .delivery(.toClient(client, $0.line, session: session))
        }
    }

    /// Removes a remote client and its waiting prompts. The answers to its requests will be dropped; the agent's
    /// requests to it wait for other clients.
    package mutating func clientLeft(_ client: ClientNumber) -> [Event] {
        clients.remove(client)
        open.dropAnswers { $0.isClient(client) }
        pending.clientLeft(client)
        return dropQueued { $0.asker.isClient(client) }
    }

    /// Ends all open requests with `message` as the error and drops the waiting prompts, because the agent has ended.
    package mutating func agentEnded(_ message: String) -> [Event] {
        let reply = Reply(error: .internalError, message)
        var events = dropQueued()
        for request in open.removeAll() { events += deliver(reply, to: request.asker, session: request.session) }
        return events
    }

    /// Makes `client` the primary and sends it the agent's open requests that it has not received yet. A request
    /// without its line cannot be sent; only a permission can then still be answered.
    package mutating func clientTookOver(_ client: ClientNumber) -> [Event] {
        clients.makePrimary(client)
        let refused = refuse("this request was too long to be kept") { $0.isUnserved && $0.line.isEmpty }
        return refused
            + pending.ask(client) { !$0.line.isEmpty }.map {
                .delivery(.toClient(client, $0.line, session: $0.session))
            }
    }

    // MARK: Messages from remote clients

    /// Handles a request from a remote client. The agent receives it under an id of ours, and the remote client
    /// receives the answer under its own id.
    package mutating func clientRequested(
        _ client: ClientNumber, _ id: RequestID, _ method: String, _ params: JSONValue?, at now: Int64
    ) throws(ClientRefusal) -> [Event] {
        guard id.byteCount <= Self.idLimitBytes else {
            throw ClientRefusal(
                reason: .idTooLong, message: "the id of this request is longer than \(Self.idLimitBytes) bytes")
        }
        let session = params?["sessionId"]?.stringValue?.within(bytes: FieldLimit.sessionIdBytes)
        let openCount = open.count(of: client)
        guard openCount < Self.clientRequestsLimit, open.count < Self.openRequestsLimit else {
            throw ClientRefusal(
                reason: .tooManyRequests, message: "\(openCount) requests are open; wait for their answers")
        }
        let known = ACPMethod(named: method)
        guard primary == client || known.map(Self.controllerMethods.contains) == true else {
            throw ClientRefusal(
                reason: .notYourAgent, message: "only the client whose agent it is may ask for \(method)")
        }
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

    private func awaitsAnswer(_ asker: Asker) -> Bool {
        open.id(of: asker) != nil || turns.isWaiting(asker)
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
        guard let turn = turns.running(in: session) else {
            return send(ACPMethod.sessionPrompt.name, raw, session: session, asker: asker, at: now)
        }
        guard queues else {
            throw ClientRefusal(
                reason: .turnIsRunning(since: turn.since, by: turn.by),
                message: "a turn of \(turn.by ?? "the editor") is running; ask again with queue: true to wait for it")
        }
        let prompt = QueuedPrompt(asker: asker, params: raw, by: clients.name(of: asker) ?? "", since: now)
        guard turns.enqueue(prompt, in: session) else {
            throw ClientRefusal(reason: .queueIsFull, message: "too many prompts wait in this session")
        }
        return [.fact(.queueChanged(id: session))]
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
    }

    /// Handles a notification from a remote client.
    package mutating func clientNotified(
        _ client: ClientNumber, _ method: String, _ params: JSONValue?, at now: Int64
    ) -> [Event] {
        switch ACPMethod(named: method) {
        case .sessionCancel:
            guard let session = params?["sessionId"]?.stringValue else { return [] }
            return cancel(session, by: clients.name(of: client) ?? "", client: client)
        case .cancelRequest:
            guard let id = params?["requestId"].flatMap(RequestID.init) else { return [] }
            return cancelRequest(of: client, id)
        default:
            guard primary == client else { return [] }
            return [.delivery(.toAgent(Self.notification(method, params)))]
        }
    }

    /// Cancels the turn of a session and the agent's open permission requests in it. No client has to answer those
    /// after the cancellation.
    ///
    /// - Parameter client: The remote client that cancels. It knows that its requests are cancelled and is not notified.
    package mutating func cancel(_ session: String, by name: String, client: ClientNumber? = nil) -> [Event] {
        let notice = MessageText.notification(method: ACPMethod.sessionCancel.name) { $0.member("sessionId", session) }
        return [.delivery(.toAgent(notice))] + answerAllCancelled(in: session, by: name, client: client)
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
