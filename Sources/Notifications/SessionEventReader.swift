import JSONScan

/// A session, as far as notifications need it.
package struct NotifiedSession: Sendable, Equatable {
    package let agent: String
    package let id: String
    package let tenant: String?
    package let title: String?
    package let folder: String?
    /// The address of the page with the session; nil without a public address.
    package let url: String?
    /// The name of the session's incarnation in the log; nil before the log has answered the claim.
    package let incarnation: String?
    /// The names of the incarnations of the session and its parents in the log, for ``MutedSessions``.
    package let incarnations: [String]

    package init(
        agent: String, id: String, tenant: String?, title: String?, folder: String?, url: String? = nil,
        incarnation: String? = nil, incarnations: [String] = []
    ) {
        self.agent = agent
        self.id = id
        self.tenant = tenant
        self.title = title
        self.folder = folder
        self.url = url
        self.incarnation = incarnation
        self.incarnations = incarnations
    }

    package var place: NotifiedPlace {
        NotifiedPlace(agent: agent, sessionId: id, tenant: tenant, incarnation: incarnation)
    }
}

/// Derives events for notifications from the entries of sessions' timelines. Pure.
package struct SessionEventReader: Sendable {
    package enum Finding: Sendable, Equatable {
        case occurred(NotificationEvent)
        case answered(requestId: String)
        case prompted
    }

    /// The start of each session's turn, in milliseconds since 1970.
    private var turns: [NotifiedPlace: Int64] = [:]
    /// At the limit, the durations of further turns are unknown.
    private static let turnLimit = 10_000

    package init() {}

    /// - Parameters:
    ///   - kind: the kind of a timeline's entry.
    ///   - body: the entry's data, as JSON.
    ///   - now: milliseconds since 1970.
    package mutating func read(_ kind: String, _ body: [UInt8], of session: NotifiedSession, at now: Int64) -> Finding?
    {
        let place = session.place
        switch kind {
        case "prompt":
            if turns.count < Self.turnLimit { turns[place] = now }
            return .prompted
        case "turn_end":
            let start = turns.take(place)
            return Self.turnEnd(body, session, duration: start.map { max(0, now - $0) })
        case "permission_request": return Self.request(.permission, body, session)
        case "elicitation_request": return Self.request(.elicitation, body, session)
        case "permission_answer", "elicitation_answer":
            return Self.value(body)?["requestId"].map { .answered(requestId: $0.rawString) }
        case "agent_exit":
            // The end of an idle agent loses no work.
            let isInTurn = turns.take(place) != nil
            return .occurred(Self.event(isInTurn && Self.isFault(body) ? .agentExit : .sessionEnd, session))
        default: return nil
        }
    }

    private static func value(_ body: [UInt8]) -> JSONValue? { try? JSONValue(validating: body) }

    private static func event(_ kind: NotificationEvent.Kind, _ session: NotifiedSession) -> NotificationEvent {
        var event = NotificationEvent(
            kind, agent: session.agent, sessionId: session.id, tenant: session.tenant, title: session.title,
            folder: session.folder, url: session.url)
        (event.incarnation, event.incarnations) = (session.incarnation, session.incarnations)
        return event
    }

    private static func request(
        _ kind: NotificationEvent.Kind, _ body: [UInt8], _ session: NotifiedSession
    ) -> Finding? {
        guard let value = value(body), let requestId = value["requestId"]?.rawString else { return nil }
        let params = value["params"]
        var event = event(kind, session)
        event.requestId = requestId
        event.text = (params?["toolCall"]?["title"] ?? params?["message"])?.stringValue.map {
            NotificationEvent.shortened($0)
        }
        return .occurred(event)
    }

    /// Ignores a turn that a person has cancelled.
    private static func turnEnd(_ body: [UInt8], _ session: NotifiedSession, duration: Int64?) -> Finding? {
        let value = value(body)
        if let error = value?["error"] {
            var event = event(.failed, session)
            event.text = error["message"]?.stringValue.map { NotificationEvent.shortened($0) }
            return .occurred(event)
        }
        guard value?["stopReason"]?.stringValue != "cancelled" else { return nil }
        var event = event(.turnEnd, session)
        event.turnMilliseconds = duration
        return .occurred(event)
    }

    /// False for an exit with 0, and for an end by one of the signals that end a program on request.
    private static func isFault(_ body: [UInt8]) -> Bool {
        let value = value(body)
        let hasFailed = value?["exitCode"]?.int64Value.map { $0 != 0 } ?? false
        let wasKilled = value?["signal"]?.int64Value.map { !requestedSignals.contains($0) } ?? false
        return hasFailed || wasKilled
    }

    /// SIGHUP, SIGINT and SIGTERM.
    private static let requestedSignals: Set<Int64> = [1, 2, 15]
}
