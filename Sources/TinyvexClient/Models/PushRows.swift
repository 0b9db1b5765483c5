import JSONCoding

/// The value of `push:list`.
public struct PushRegistrationList: Codable, Hashable, Sendable {
    public var data: [PushRegistration]
}

/// A browser, an app or a webhook that gets notifications. The secret part of its address stays in the bridge.
public struct PushRegistration: Codable, Hashable, Sendable, Identifiable {
    /// The kind of the address. Unknown values can arrive and keep their text.
    public struct Kind: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A browser, by Web Push.
        public static let push = Self(rawValue: "push")
        /// An app, by Apple's push service.
        public static let apns = Self(rawValue: "apns")
        public static let webhook = Self(rawValue: "webhook")

        public static let allCases = [push, apns, webhook]
    }

    public var id: String
    public var type: Kind
    /// Scheme, host and port of a browser's push service or of a webhook.
    public var server: String?
    /// The bundle id of an app.
    public var topic: String?
    /// `production` or `development`, for an app.
    public var environment: String?
    /// Nil for all events that the bridge's target sends.
    public var events: [PushEvent]?
    /// Nil for a registration of the bridge's own users.
    public var tenant: String?
}

/// An event of which a bridge sends notifications. Unknown values can arrive and keep their text.
public struct PushEvent: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The agent asks for a permission.
    public static let permission = Self(rawValue: "permission")
    /// The agent asks a question with a form.
    public static let elicitation = Self(rawValue: "elicitation")
    public static let turnEnd = Self(rawValue: "turn_end")
    /// A turn has ended with an error.
    public static let failed = Self(rawValue: "failed")
    /// The agent has exited with an error or by a signal, in a turn.
    public static let agentExit = Self(rawValue: "agent_exit")
    public static let sessionEnd = Self(rawValue: "session_end")

    public static let allCases = [permission, elicitation, turnEnd, failed, agentExit, sessionEnd]
}
