import ACP
import JSONCoding

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One entry of a session's timeline: an update, or something that ACP tells an editor alone.
public struct TimelineEntry: Codable, Hashable, Sendable {
    /// The update's own number; of other entries, that of the last update before them.
    public var seq: Int64
    /// When the bridge read it.
    public var ts: Date
    public var kind: TimelineKind
    /// Of an update alone, with the line it came in.
    public var notification: ACP.Client.SessionNotificationWire?
    /// Of other kinds: what the protocol says of each. A prompt is read with
    /// `data?.decode(as: ACP.Agent.SessionPromptRequest.self)`.
    public var data: RawJSON?
}

/// What an entry of a timeline is about. Others than these may come, and keep their text.
public struct TimelineKind: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let update = Self(rawValue: "update")
    /// The agent was started; `data` has its name and process id.
    public static let agentStart = Self(rawValue: "agent_start")
    /// `data` is what the editor sent as `session/prompt`.
    public static let prompt = Self(rawValue: "prompt")
    /// `data` is what the agent answered to it, or has its `error`.
    public static let turnEnd = Self(rawValue: "turn_end")
    /// `data` has the agent's `requestId` and the `params` of `session/request_permission`.
    public static let permissionRequest = Self(rawValue: "permission_request")
    /// `data` has that `requestId`, and the editor's `result` or `error`.
    public static let permissionAnswer = Self(rawValue: "permission_answer")
    /// `data` has the `reason`, and `exitCode` or `signal`.
    public static let agentExit = Self(rawValue: "agent_exit")

    public static let allCases = [
        update, agentStart, prompt, turnEnd, permissionRequest, permissionAnswer, agentExit,
    ]
}
