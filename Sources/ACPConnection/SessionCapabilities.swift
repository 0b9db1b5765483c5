import ACPBase
import JSONCoding

extension ACP {
    /// The session methods that an agent supports besides `session/new`, `session/prompt` and `session/cancel`,
    /// which every agent supports. Schema: `SessionCapabilities`.
    public struct SessionCapabilities: Object, AbsenceMeans {
        public static let absent = Self()

        /// Present when the agent supports `session/list`.
        @Lenient public var list: SessionListCapabilities?
        /// Present when the agent supports `session/delete`.
        @Lenient public var delete: SessionDeleteCapabilities?
        /// Present when a session can have more than one root.
        @Lenient public var additionalDirectories: SessionAdditionalDirectoriesCapabilities?
        /// Unstable. Present when the agent supports `session/fork`.
        @Lenient public var fork: SessionForkCapabilities?
        /// Present when the agent supports `session/resume`.
        @Lenient public var resume: SessionResumeCapabilities?
        /// Present when the agent supports `session/close`.
        @Lenient public var close: SessionCloseCapabilities?
        public var otherMembers: OtherMembers

        public init(
            list: SessionListCapabilities? = nil, delete: SessionDeleteCapabilities? = nil,
            additionalDirectories: SessionAdditionalDirectoriesCapabilities? = nil,
            fork: SessionForkCapabilities? = nil, resume: SessionResumeCapabilities? = nil,
            close: SessionCloseCapabilities? = nil, meta: RawJSON? = nil
        ) {
            self.list = list
            self.delete = delete
            self.additionalDirectories = additionalDirectories
            self.fork = fork
            self.resume = resume
            self.close = close
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when the agent supports `session/list`; has no members yet. Schema: `SessionListCapabilities`.
    public struct SessionListCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when the agent supports `session/delete`; has no members yet. Schema: `SessionDeleteCapabilities`.
    public struct SessionDeleteCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when the agent accepts `additionalDirectories`; has no members yet. Schema:
    /// `SessionAdditionalDirectoriesCapabilities`.
    public struct SessionAdditionalDirectoriesCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when the agent supports `session/fork`; has no members yet. Schema:
    /// `SessionForkCapabilities`.
    public struct SessionForkCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when the agent supports `session/resume`; has no members yet. Schema: `SessionResumeCapabilities`.
    public struct SessionResumeCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when the agent supports `session/close`; has no members yet. Schema: `SessionCloseCapabilities`.
    public struct SessionCloseCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
