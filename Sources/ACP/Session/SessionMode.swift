import JSONCoding

extension ACP {
    /// Names one of an agent's modes. Schema: `SessionModeId`.
    public struct SessionModeId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A way in which an agent works: asking first, planning, doing. Schema: `SessionMode`.
    public struct SessionMode: Object {
        /// For `session/set_mode`.
        public var id: SessionModeId
        /// For the user.
        public var name: String
        /// More, for the user.
        @Lenient public var description: String?
        public var otherMembers: OtherMembers

        public init(id: SessionModeId, name: String, description: String? = nil, meta: RawJSON? = nil) {
            self.id = id
            self.name = name
            self.description = description
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The modes of a session. Newer agents offer an option of category `mode` as well, which clients prefer. Schema:
    /// `SessionModeState`.
    public struct SessionModeState: Object {
        /// The mode that is on.
        public var currentModeId: SessionModeId
        /// Those to choose from.
        @Lossy public var availableModes: [SessionMode]
        public var otherMembers: OtherMembers

        public init(currentModeId: SessionModeId, availableModes: [SessionMode] = [], meta: RawJSON? = nil) {
            self.currentModeId = currentModeId
            self.availableModes = availableModes
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
