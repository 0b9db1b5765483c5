import ACPBase
import ACPMethods
import JSONCoding

extension ACP.Agent {
    /// Sets the session's mode. Schema: `SetSessionModeRequest`.
    public struct SessionSetModeRequest: ACP.Request {
        public typealias Response = SessionSetModeResponse
        public static let method = ACPMethod.sessionSetMode.name

        /// The session to change.
        public var sessionId: ACP.SessionId
        /// The id of one of the session's `availableModes`.
        public var modeId: ACP.SessionModeId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, modeId: ACP.SessionModeId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.modeId = modeId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The mode is set. Schema: `SetSessionModeResponse`.
    public struct SessionSetModeResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// Identifies one of an agent's modes. Schema: `SessionModeId`.
    public struct SessionModeId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A mode of operation, for example asking first, planning, or acting. Schema: `SessionMode`.
    public struct SessionMode: Object {
        /// The id for `session/set_mode`.
        public var id: SessionModeId
        /// The name to show to the user.
        public var name: String
        /// A longer description to show to the user.
        @Lenient public var description: String?
        public var otherMembers: OtherMembers

        public init(id: SessionModeId, name: String, description: String? = nil, meta: RawJSON? = nil) {
            self.id = id
            self.name = name
            self.description = description
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The modes of a session. Newer agents also offer an option of category `mode`, which clients prefer. Schema:
    /// `SessionModeState`.
    public struct SessionModeState: Object {
        /// The current mode.
        public var currentModeId: SessionModeId
        /// The modes to choose from.
        @Lossy public var availableModes: [SessionMode]
        public var otherMembers: OtherMembers

        public init(currentModeId: SessionModeId, availableModes: [SessionMode] = [], meta: RawJSON? = nil) {
            self.currentModeId = currentModeId
            self.availableModes = availableModes
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The session's mode has changed. Schema: `CurrentModeUpdate`.
    public struct CurrentModeUpdate: Object {
        /// The id of one of the session's `availableModes`.
        public var currentModeId: SessionModeId
        public var otherMembers: OtherMembers

        public init(currentModeId: SessionModeId, meta: RawJSON? = nil) {
            self.currentModeId = currentModeId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
