import FieldLimits

/// An occurrence in a session that can cause a notification.
package struct NotificationEvent: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable, Codable {
        /// The agent asks for a permission.
        case permission
        /// The agent asks a question with a form.
        case elicitation
        /// A turn has ended.
        case turnEnd = "turn_end"
        /// A turn has ended with an error.
        case failed
        /// The agent has exited with an error or by a signal.
        case agentExit = "agent_exit"
        /// The session has ended with its agent, without such an error.
        case sessionEnd = "session_end"
        /// `acpbridge notify test`.
        case test

        /// The agent waits for a person.
        var needsPerson: Bool { self == .permission || self == .elicitation }
    }

    package var kind: Kind
    package var agent: String
    package var sessionId: String
    /// The tenant of the session; nil for a session of the bridge's own users.
    package var tenant: String?
    /// The session's title, which comes from its agent or its first prompt.
    package var title: String?
    package var folder: String?
    /// The address of the page with the session.
    package var url: String?
    /// The agent's id for its request, as JSON text.
    package var requestId: String?
    /// The content for targets that may show it: the title of a tool call, or an error.
    package var text: String?
    /// The duration of the turn that has ended, in milliseconds.
    package var turnMilliseconds: Int64?
    /// The name of the session's incarnation in the log; nil before the log has answered the claim.
    package var incarnation: String?
    /// The names of the incarnations of the session and its parents in the log.
    package var incarnations: [String] = []

    var place: NotifiedPlace {
        NotifiedPlace(agent: agent, sessionId: sessionId, tenant: tenant, incarnation: incarnation)
    }

    /// Unicode scalars of ``title`` and ``text``: a notification shows two or three lines.
    private static let textCharacters = 200

    static func shortened(_ text: String) -> String { text.prefix(scalars: textCharacters) }

    package init(
        _ kind: Kind, agent: String, sessionId: String, tenant: String? = nil, title: String? = nil,
        folder: String? = nil, url: String? = nil, requestId: String? = nil, text: String? = nil,
        turnMilliseconds: Int64? = nil
    ) {
        self.kind = kind
        self.agent = agent.prefix(scalars: FieldLimit.agentCharacters)
        self.sessionId = sessionId
        self.tenant = tenant
        self.title = title.map { Self.shortened($0) }
        self.folder = folder
        self.url = url
        self.requestId = requestId
        self.text = text.map { Self.shortened($0) }
        self.turnMilliseconds = turnMilliseconds
    }
}

/// The time of one call of the machine.
package struct NotificationTime: Sendable, Equatable {
    /// Milliseconds since 1970.
    package let ts: Int64
    /// Minutes since midnight, local time: 0 to 1,439.
    package let minuteOfDay: Int

    package init(ts: Int64, minuteOfDay: Int) {
        self.ts = ts
        self.minuteOfDay = minuteOfDay
    }
}
