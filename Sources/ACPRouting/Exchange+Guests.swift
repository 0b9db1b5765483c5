import FieldLimits
import JSONRPC
import JSONScan

/// The rights of a guest.
package struct GuestRights: Equatable, Codable {
    /// The name that other clients see: `token tk_ab12`, `uid 1000`.
    package var name: String
    /// The sessions that the guest has joined. It also receives their permission requests.
    var sessions: Set<String> = []
}

/// The reason why a guest's request is not forwarded to the agent.
package struct GuestRefusal: Error, Equatable {
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

extension Exchange {
    /// The requests that every client with the right to control can send for another client's session.
    static let controllerMethods: Set<String> = [
        "session/prompt", "session/set_mode", "session/set_config_option", "session/set_model",
    ]

    func name(of asker: Asker) -> String? {
        switch asker {
        case .editor, .nobody: nil
        case .guest(let guest, _): guests[guest]?.name
        case .bridge(let number): clients[number]
        }
    }

    // MARK: Joining and leaving

    package mutating func guestCame(_ guest: Guest, name: String) { guests[guest] = GuestRights(name: name) }

    /// Adds the guest to the session and sends it the session's open permission requests.
    package mutating func guestJoined(_ guest: Guest, session: String) -> [Event] {
        guests[guest]?.sessions.insert(session)
        var events: [Event] = []
        for index in asked.indices where asked[index].session == session && asked[index].isPermission {
            guard asked[index].askedGuests.insert(guest).inserted else { continue }
            events.append(.toGuest(guest, asked[index].line, session: session))
        }
        return events
    }

    /// Removes a guest and its waiting prompts. The answers to its requests will be dropped; the agent's requests to it
    /// wait for other clients.
    package mutating func guestLeft(_ guest: Guest) -> [Event] {
        guests[guest] = nil
        if primary == guest { primary = nil }
        for (id, request) in open {
            guard case .guest(guest, _) = request.asker else { continue }
            open[id] = OpenRequest(asker: .nobody, kind: request.kind)
        }
        for index in asked.indices { asked[index].askedGuests.remove(guest) }
        return dropQueued { if case .guest(guest, _) = $0.asker { true } else { false } }
    }

    /// Ends all open requests with `message` as the error and drops the waiting prompts, because the agent has ended.
    package mutating func agentEnded(_ message: String) -> [Event] {
        let reply = Reply(error: .internalError, message)
        var events = dropQueued()
        for request in open.values {
            switch request.asker {
            case .guest(let guest, let id): events.append(.toGuest(guest, reply.text(id: id), session: request.session))
            case .bridge(let number): events.append(.answered(number, reply))
            case .editor, .nobody: break
            }
        }
        open = [:]
        return events
    }

    /// Makes `guest` the primary and sends it the agent's open requests that it has not received yet.
    package mutating func guestTookOver(_ guest: Guest) -> [Event] {
        primary = guest
        var events: [Event] = []
        for index in asked.indices where asked[index].askedGuests.insert(guest).inserted {
            events.append(.toGuest(guest, asked[index].line, session: asked[index].session))
        }
        return events
    }

    // MARK: Messages from guests

    /// Handles a request from a guest. The agent receives it under an id of ours, and the guest receives the answer
    /// under its own id.
    package mutating func guestAsked(
        _ guest: Guest, _ id: RequestID, _ method: String, _ params: JSONValue?, at now: Int64
    ) throws(GuestRefusal) -> [Event] {
        guard id.byteCount <= Self.idLimitBytes else {
            throw GuestRefusal(
                reason: .idTooLong, message: "the id of this request is longer than \(Self.idLimitBytes) bytes")
        }
        let session = params?["sessionId"]?.stringValue?.within(bytes: FieldLimit.sessionIdBytes)
        let openCount = open.values.count { if case .guest(guest, _) = $0.asker { true } else { false } }
        guard openCount < Self.guestRequestsLimit, open.count < Self.openRequestsLimit else {
            throw GuestRefusal(
                reason: .tooManyRequests, message: "\(openCount) requests are open; wait for their answers")
        }
        guard primary == guest || Self.controllerMethods.contains(method) else {
            throw GuestRefusal(
                reason: .notYourAgent, message: "only the client whose agent it is may ask for \(method)")
        }
        let asker = Asker.guest(guest, id: id)
        guard !awaitsAnswer(asker) else {
            throw GuestRefusal(reason: .idInUse, message: "the id of this request is in use by one that is open")
        }
        if method == "session/prompt", let session, primary != guest {
            return try prompt(session, params, asker, queues: Self.asksToQueue(params), at: now)
        }
        let raw = params.map { Array($0.rawText) }
        return send(method, raw, session: session, asker: asker, at: now)
    }

    private func awaitsAnswer(_ asker: Asker) -> Bool {
        open.values.contains { $0.asker == asker } || queues.values.contains { $0.contains { $0.asker == asker } }
    }

    /// Sends a prompt for a client that is not the primary. If a turn is running, the prompt waits or is refused,
    /// because the agent should not have to handle two prompts at once.
    package mutating func prompt(
        _ session: String, _ params: JSONValue?, _ asker: Asker, queues: Bool, at now: Int64
    ) throws(GuestRefusal) -> [Event] {
        let raw = params.map { Array($0.rawText) } ?? Array("{}".utf8)
        guard let turn = turns[session]?.first else {
            return send("session/prompt", raw, session: session, asker: asker, at: now)
        }
        guard queues else {
            throw GuestRefusal(
                reason: .turnIsRunning(since: turn.since, by: turn.by),
                message: "a turn of \(turn.by ?? "the editor") is running; ask again with queue: true to wait for it")
        }
        let prompt = QueuedPrompt(asker: asker, params: raw, by: name(of: asker) ?? "", since: now)
        guard let events = enqueue(session, prompt) else {
            throw GuestRefusal(reason: .queueIsFull, message: "too many prompts wait in this session")
        }
        return events
    }

    /// `"_meta":{"tinyvex":{"queue":true}}`
    private static func asksToQueue(_ params: JSONValue?) -> Bool {
        params?["_meta"]?["tinyvex"]?["queue"]?.boolValue == true
    }

    package mutating func send(
        _ method: String, _ params: [UInt8]?, session: String?, asker: Asker, at now: Int64
    ) -> [Event] {
        let id = makeID()
        let line = JSONWriter.object { writer in
            writer.member("jsonrpc", "2.0")
            writer.member("id", id)
            writer.member("method", method)
            if let params { writer.member("params", raw: params) }
        }
        let value = params.flatMap { try? JSONValue(validating: $0) }
        return note(id, method, session: session, params: value, asker: asker, at: now) + [.toAgent(line)]
    }

    /// Handles a notification from a guest.
    package mutating func guestNotified(
        _ guest: Guest, _ method: String, _ params: JSONValue?, at now: Int64
    ) -> [Event] {
        switch method {
        case "session/cancel":
            guard let session = params?["sessionId"]?.stringValue else { return [] }
            return cancel(session, by: guests[guest]?.name ?? "")
        case "$/cancel_request":
            guard let id = params?["requestId"].flatMap(RequestID.init) else { return [] }
            return cancelRequest(of: guest, id)
        default:
            guard primary == guest else { return [] }
            return [.toAgent(Self.notification(method, params))]
        }
    }

    /// Cancels the turn of a session and the agent's open permission requests in it. No client has to answer those
    /// after the cancellation.
    package mutating func cancel(_ session: String, by name: String) -> [Event] {
        let notice = MessageText.notification(method: "session/cancel") { $0.member("sessionId", session) }
        return [.toAgent(notice)] + answerAllCancelled(in: session, by: name)
    }

    private mutating func cancelRequest(of guest: Guest, _ id: RequestID) -> [Event] {
        let asker = Asker.guest(guest, id: id)
        if let ours = open.first(where: { $0.value.asker == asker })?.key {
            return [.toAgent(MessageText.notification(method: "$/cancel_request") { $0.member("requestId", ours) })]
        }
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
