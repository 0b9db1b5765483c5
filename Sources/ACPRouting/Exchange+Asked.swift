import JSONRPC
import JSONScan

/// A request from the agent that has not been answered.
package struct AgentRequest: Equatable, Codable {
    package let id: RequestID
    let method: String
    package let session: String?
    /// The line as the agent wrote it. Empty if it was too long to be kept.
    let line: [UInt8]
    /// The params of a permission request, in the form of ``PermissionParams``.
    package let params: [UInt8]
    /// Milliseconds since 1970.
    package let since: Int64
    /// The ids of a permission request's options.
    let options: Set<String>
    var askedGuests: Set<Exchange.Guest> = []
    /// The request's number in the order of the agent's requests. Nil in the state of an older bridge, which did not
    /// count them.
    package var number: Int?

    var isPermission: Bool { method == Exchange.permissionMethod }
}

/// The reason why an answer to a permission request is rejected.
package enum PermissionFault: Error, Equatable {
    /// The request was answered before, or was never sent.
    case notPending
    case optionNotOffered(String)
    case malformed
}

extension Exchange {
    /// The maximum size, in bytes, of all request lines that are kept for clients that join later. Above it, further
    /// requests are recorded by id without their lines.
    static let askedLimitBytes = 8 << 20

    package var pendingPermissions: [AgentRequest] { asked.filter(\.isPermission) }

    // MARK: Requests from the agent

    mutating func agentSaid(
        _ id: RequestID?, _ envelope: Envelope, _ line: Span<UInt8>, at now: Int64
    ) -> [Event] {
        guard let id else { return agentNotified(envelope, line) }
        let session = Self.session(envelope, line)
        let method = envelope.string(in: line, at: envelope.method) ?? ""
        guard asked.count < Self.openRequestsLimit else { return [] }
        if let (guest, request) = guestConcerned(by: envelope, line) {
            return [askAlone(guest, request, id, method, envelope, line, at: now)]
        }
        asked.removeAll { $0.id == id }
        let params = params(envelope, line)
        var request = AgentRequest(
            id: id, method: method, session: session, line: kept(line), params: PermissionParams.bounded(params),
            since: now, options: method == Self.permissionMethod ? Self.options(envelope, line) : [],
            number: makeAskedNumber())
        for guest in guests.keys.sorted() where isAsked(guest, request) { request.askedGuests.insert(guest) }
        asked.append(request)
        var events: [Event] = []
        if request.isPermission, let session {
            events.append(.permissionAsked(id: session, request: Self.body(id, params)))
        }
        return events + request.askedGuests.sorted().map { .toGuest($0, request.line, session: session) }
    }

    /// The editor receives the request directly. The line is kept for a client that replaces the editor, if there is
    /// room.
    private func kept(_ line: Span<UInt8>) -> [UInt8] {
        guard hasEditor else { return Self.bytes(line, 0..<line.count) }
        let bytes = asked.reduce(line.count) { $0 + $1.line.count }
        return bytes > Self.askedLimitBytes ? [] : Self.bytes(line, 0..<line.count)
    }

    private func params(_ envelope: Envelope, _ line: Span<UInt8>) -> [UInt8] {
        guard envelope.string(in: line, at: envelope.method) == Self.permissionMethod, let range = envelope.params
        else {
            return []
        }
        return Self.bytes(line, range)
    }

    static let permissionMethod = "session/request_permission"

    private func isAsked(_ guest: Guest, _ request: AgentRequest) -> Bool {
        if primary == guest { return true }
        guard request.isPermission, let session = request.session else { return false }
        return guests[guest]?.sessions.contains(session) == true
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
        return [.toAgent(Reply(error: .invalidRequest, message).text(id: id))]
    }

    private func agentNotified(_ envelope: Envelope, _ line: Span<UInt8>) -> [Event] {
        let text = Self.bytes(line, 0..<line.count)
        let session = Self.session(envelope, line)
        guard envelope.string(in: line, at: envelope.method) == "$/cancel_request",
            let id = Self.value(line, envelope.params)?["requestId"].flatMap(RequestID.init),
            let request = asked.first(where: { $0.id == id })
        else { return primary.map { [.toGuest($0, text, session: session)] } ?? [] }
        return request.askedGuests.sorted().map { .toGuest($0, text, session: request.session) }
    }

    // MARK: Elicitations bound to a request

    /// The guest that sent the request to which an elicitation refers, with the id of that request. Other clients must
    /// not see the elicitation.
    func guestConcerned(by envelope: Envelope, _ line: Span<UInt8>) -> (guest: Guest, request: RequestID)? {
        guard envelope.string(in: line, at: envelope.method) == "elicitation/create",
            let id = Self.value(line, envelope.params)?["requestId"].flatMap(RequestID.init),
            case .guest(let guest, let original)? = open[id]?.asker
        else { return nil }
        return (guest, original)
    }

    /// Sends an elicitation to one guest. Its `requestId` is replaced by the id that the guest gave its request.
    private mutating func askAlone(
        _ guest: Guest, _ request: RequestID, _ id: RequestID, _ method: String, _ envelope: Envelope,
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
        var asking = AgentRequest(
            id: id, method: method, session: nil, line: text, params: params, since: now, options: [])
        asking.askedGuests = [guest]
        asked.append(asking)
        return .toGuest(guest, text, session: nil)
    }

    // MARK: Answers to the agent

    /// Handles the editor's answer, which has already been forwarded to the agent.
    mutating func editorAnswered(_ id: RequestID, _ reply: Reply) -> [Event] {
        guard let index = asked.firstIndex(where: { $0.id == id }) else { return [] }
        let request = asked.remove(at: index)
        return settled(request, reply, by: nil) + endDialogs(of: request, except: nil)
    }

    /// Handles a guest's answer. The first valid answer wins, and the agent receives only that one.
    package mutating func guestAnswered(
        _ guest: Guest, _ id: RequestID, _ reply: Reply
    ) throws(PermissionFault) -> [Event] {
        guard let index = asked.firstIndex(where: { $0.id == id && $0.askedGuests.contains(guest) }) else {
            throw .notPending
        }
        let request = asked[index]
        if request.isPermission, primary != guest { try Self.check(reply, request) }
        return answer(at: index, reply, by: guests[guest]?.name ?? "", guest: guest)
    }

    /// Handles an answer that did not arrive as an ACP message.
    package mutating func answerPermission(
        _ session: String, _ id: RequestID, _ reply: Reply, by name: String
    ) throws(PermissionFault) -> [Event] {
        guard let index = asked.firstIndex(where: { $0.id == id && $0.session == session && $0.isPermission }) else {
            throw .notPending
        }
        try Self.check(reply, asked[index])
        return answer(at: index, reply, by: name, guest: nil)
    }

    /// Accepts `{"outcome":{"outcome":"selected","optionId":"allow"}}` with an option that was offered, and
    /// `{"outcome":{"outcome":"cancelled"}}`.
    private static func check(_ reply: Reply, _ request: AgentRequest) throws(PermissionFault) {
        guard let result = reply.result, let outcome = (try? JSONValue(validating: result))?["outcome"] else {
            throw .malformed
        }
        switch outcome["outcome"]?.stringValue {
        case "cancelled": return
        case "selected":
            guard let option = outcome["optionId"]?.stringValue else { throw .malformed }
            guard request.options.contains(option) else { throw .optionNotOffered(option) }
        default: throw .malformed
        }
    }

    private mutating func answer(at index: Int, _ reply: Reply, by name: String, guest: Guest?) -> [Event] {
        let request = asked.remove(at: index)
        var events: [Event] = [.toAgent(reply.text(id: request.id))]
        events += settled(request, reply, by: name)
        if hasEditor, request.isPermission {
            staleAnswers[request.id, default: 0] += 1
            events.append(.toEditor(Self.cancelling(request.id)))
        }
        return events + endDialogs(of: request, except: guest)
    }

    private func settled(_ request: AgentRequest, _ reply: Reply, by name: String?) -> [Event] {
        guard request.isPermission, let session = request.session else { return [] }
        let answer = JSONWriter.object { writer in
            writer.member("requestId", request.id)
            reply.write(to: &writer)
            writer.member("by", ifPresent: name)
        }
        return [.permissionAnswered(id: session, answer: answer)]
    }

    private func endDialogs(of request: AgentRequest, except winner: Guest?) -> [Event] {
        request.askedGuests.subtracting(winner.map { [$0] } ?? []).sorted().map {
            .toGuest($0, Self.cancelling(request.id), session: request.session)
        }
    }

    private static func cancelling(_ id: RequestID) -> [UInt8] {
        MessageText.notification(method: "$/cancel_request") { $0.member("requestId", id) }
    }

    /// Answers all open permission requests of a session with `cancelled`, as ACP requires when a turn is cancelled.
    mutating func answerAllCancelled(in session: String, by name: String) -> [Event] {
        var events: [Event] = []
        while let index = asked.firstIndex(where: { $0.session == session && $0.isPermission }) {
            events += answer(at: index, Self.cancelled, by: name, guest: nil)
        }
        return events
    }

    private static let cancelled = Reply(result: Array(#"{"outcome":{"outcome":"cancelled"}}"#.utf8))

    /// True if the agent waits for an answer and has neither an editor nor a primary.
    package var isUnattended: Bool { !hasEditor && primary == nil && !asked.isEmpty }

    /// Answers a permission request with `cancelled` if its time is over and no client has the agent.
    package mutating func permissionLapsed(_ id: RequestID, since: Int64) -> [Event] {
        guard isUnattended,
            let index = asked.firstIndex(where: { $0.id == id && $0.since == since && $0.isPermission })
        else { return [] }
        return answer(at: index, Self.cancelled, by: "time limit", guest: nil)
    }

    /// True if the agent waits for an answer that only a primary can give, and there is none.
    package var awaitsPrimary: Bool {
        !hasEditor && primary == nil && asked.contains { !$0.isPermission && $0.askedGuests.isEmpty }
    }

    /// Answers the requests that only a primary could serve with `internalError`, so that the agent can continue.
    package mutating func refuseUnservable(_ message: String) -> [Event] {
        var events: [Event] = []
        while awaitsPrimary, let index = asked.firstIndex(where: { !$0.isPermission && $0.askedGuests.isEmpty }) {
            let request = asked.remove(at: index)
            events.append(.toAgent(Reply(error: .internalError, message).text(id: request.id)))
        }
        return events
    }
}
