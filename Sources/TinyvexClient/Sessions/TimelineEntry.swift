import ACP
import JSONCoding

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One entry of a session's timeline: an update, or an event that ACP reports only to the editor.
public struct TimelineEntry: Codable, Hashable, Sendable {
    /// The sequence number of the update; for other entries, that of the last update before them.
    public var seq: Int64
    /// The time at which the bridge read the entry.
    public var ts: Date
    public var kind: TimelineKind
    /// The line of the update; nil for other entries.
    public var line: RawJSON?
    /// The data of an entry that is not an update; the protocol defines its form for each kind. Decode a prompt
    /// with `data?.decode(as: ACP.Agent.SessionPromptRequest.self)`.
    public var data: RawJSON?

    private enum CodingKeys: String, CodingKey {
        case seq, ts, kind, data
        case line = "notification"
    }
}

extension TimelineEntry {
    /// The update in the types of version 1, with its line. Nil for other entries, and for a line that does not match the
    /// schema of version 1 for its kind.
    public var notification: ACP.Client.SessionNotificationWire? {
        line.flatMap { try? ACP.Client.SessionNotificationWire(line: $0) }
    }

    /// The update in the types of its agent's version, with its line; nil for other entries.
    ///
    /// - Parameter version: The version of the session's agent. `ACP.VersionDetector` finds it out from the updates.
    /// - Throws: If the line does not match the schema of that version for its kind.
    public func notification(
        version: ACP.ProtocolVersion
    ) throws(JSONCodingError) -> ACP.VersionedNotification? {
        guard let line else { return nil }
        return try ACP.VersionedNotification(line: line, version: version)
    }
}

/// The kind of a timeline entry. Unknown kinds can arrive and keep their text.
public struct TimelineKind: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let update = Self(rawValue: "update")
    /// The agent was started; `data` has its name and process id.
    public static let agentStart = Self(rawValue: "agent_start")
    /// `data` has the params of the editor's `session/prompt`.
    public static let prompt = Self(rawValue: "prompt")
    /// `data` has the agent's response to the prompt, or its `error`.
    public static let turnEnd = Self(rawValue: "turn_end")
    /// `data` has the agent's `requestId` and the `params` of `session/request_permission`.
    public static let permissionRequest = Self(rawValue: "permission_request")
    /// `data` has the `requestId` of the permission request, and the editor's `result` or `error`.
    public static let permissionAnswer = Self(rawValue: "permission_answer")
    /// `data` has the agent's `requestId` and the `params` of `elicitation/create`.
    public static let elicitationRequest = Self(rawValue: "elicitation_request")
    /// `data` has the `requestId` of the elicitation, and the client's `result` or `error`.
    public static let elicitationAnswer = Self(rawValue: "elicitation_answer")
    /// `data` has the `reason`, and `exitCode` or `signal`.
    public static let agentExit = Self(rawValue: "agent_exit")

    public static let allCases = [
        update, agentStart, prompt, turnEnd, permissionRequest, permissionAnswer, elicitationRequest,
        elicitationAnswer, agentExit,
    ]
}
