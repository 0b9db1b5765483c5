import ACPBase
import ACPConnection
import ACPSessions
import JSONCoding
import JSONScan

extension ACP.V2.Client {
    /// A `session/update` of version 2 together with its original line, like
    /// `ACP.Client.SessionNotificationWire` for version 1.
    public struct SessionNotificationWire: Hashable, Sendable {
        /// The unchanged line, without the line feed.
        public let line: RawJSON

        /// The decoded notification.
        public let notification: SessionNotification

        /// Decodes a whole JSON-RPC message. Throws if its method is not `session/update`.
        public init(line: RawJSON) throws(JSONCodingError) {
            self.line = line
            notification = try line.decode(as: Message.self).params
        }

        /// The session in which the event occurred. For `subagent_update`, it is the parent session.
        public var sessionId: ACP.SessionId { notification.sessionId }
        /// The event.
        public var update: ACP.V2.SessionUpdate { notification.update }
    }

    private struct Message: Decodable {
        let params: SessionNotification

        enum CodingKeys: CodingKey { case method, params }

        init(from decoder: any Decoder) throws {
            let message = try decoder.container(keyedBy: CodingKeys.self)
            guard try message.decode(String.self, forKey: .method) == SessionNotification.method else {
                throw DecodingError.dataCorruptedError(
                    forKey: .method, in: message, debugDescription: "not \(SessionNotification.method)")
            }
            params = try message.decode(SessionNotification.self, forKey: .params)
        }
    }
}

extension ACP.V2.Client.SessionNotificationWire: Codable {
    public init(from decoder: any Decoder) throws { try self.init(line: RawJSON(from: decoder)) }

    /// Writes the line.
    public func encode(to encoder: any Encoder) throws { try line.encode(to: encoder) }
}

extension ACP {
    /// A `session/update` in the version that its agent speaks, together with its original line.
    public enum VersionedNotification: Hashable, Sendable {
        case v1(ACP.Client.SessionNotificationWire)
        case v2(ACP.V2.Client.SessionNotificationWire)

        /// Decodes a whole JSON-RPC message.
        ///
        /// - Parameter version: The version of the agent's answer to `initialize`. A line of a later version is read like
        ///   one of version 2, where unknown kinds and members are kept.
        /// - Throws: If the method is not `session/update`, or if the line does not match the version's schema for its
        ///   kind.
        public init(line: RawJSON, version: ProtocolVersion) throws(JSONCodingError) {
            if version == .v1 {
                self = .v1(try ACP.Client.SessionNotificationWire(line: line))
            } else {
                self = .v2(try ACP.V2.Client.SessionNotificationWire(line: line))
            }
        }

        /// The unchanged line, without the line feed.
        public var line: RawJSON {
            switch self {
            case .v1(let wire): wire.line
            case .v2(let wire): wire.line
            }
        }

        /// The session in which the event occurred.
        public var sessionId: ACP.SessionId {
            switch self {
            case .v1(let wire): wire.sessionId
            case .v2(let wire): wire.sessionId
            }
        }
    }

    /// Finds out the version of a session from its updates, which do not state it. Pure.
    ///
    /// A kind that only one version has decides for all further updates. Until then each update is judged alone: by
    /// members that have other names in the other version, and as version 1 without any.
    public struct VersionDetector: Sendable {
        /// The version that an update has decided; nil until then.
        public private(set) var version: ProtocolVersion?

        /// - Parameter version: The version, if it is known, for example from the answer to `initialize`.
        public init(version: ProtocolVersion? = nil) { self.version = version }

        private static let kindsOfVersion1: Set<String> = ["tool_call", "plan", "current_mode_update"]
        private static let kindsOfVersion2: Set<String> = [
            "user_message", "agent_message", "agent_thought", "state_update", "tool_call_content_chunk",
            "terminal_update", "terminal_output_chunk", "replay_complete",
        ]

        /// Takes the next update of the session, and returns the version to read it by.
        ///
        /// - Parameter line: A whole JSON-RPC message.
        public mutating func version(of line: RawJSON) -> ProtocolVersion {
            if let version { return version }
            let update = line.value["params"]?["update"]
            let kind = update?["sessionUpdate"]?.stringValue ?? ""
            if Self.kindsOfVersion1.contains(kind) { version = .v1 }
            if Self.kindsOfVersion2.contains(kind) || update.map({ Self.isVersion2($0, kind) }) == true {
                version = .v2
            }
            return version ?? .v1
        }

        /// Whether the update has a member that version 1 names differently or does not have.
        private static func isVersion2(_ update: JSONValue, _ kind: String) -> Bool {
            switch kind {
            case "config_option_update": (update["configOptions"]?.elements ?? []).contains { $0["configId"] != nil }
            case "available_commands_update":
                (update["availableCommands"]?.elements ?? []).contains { $0["input"]?["type"] != nil }
            case "tool_call_update":
                update["capabilities"] != nil
                    || (update["content"]?.elements ?? []).contains { $0["changes"] != nil }
            default: false
            }
        }
    }
}
