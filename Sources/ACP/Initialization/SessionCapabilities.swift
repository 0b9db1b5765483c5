import JSONCoding

extension ACP {
    /// Which session methods an agent has besides `session/new`, `session/prompt` and `session/cancel`, which all have.
    /// Schema: `SessionCapabilities`.
    public struct SessionCapabilities: Object, AbsenceMeans {
        public static let absent = Self()

        /// Present when `session/list` is there.
        @Lenient public var list: SessionListCapabilities?
        /// Present when `session/delete` is there.
        @Lenient public var delete: SessionDeleteCapabilities?
        /// Present when sessions may have more than one root.
        @Lenient public var additionalDirectories: SessionAdditionalDirectoriesCapabilities?
        /// Unstable. Present when `session/fork` is there.
        @Lenient public var fork: SessionForkCapabilities?
        /// Present when `session/resume` is there.
        @Lenient public var resume: SessionResumeCapabilities?
        /// Present when `session/close` is there.
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

    /// Present when `session/list` is there; it holds nothing yet. Schema: `SessionListCapabilities`.
    public struct SessionListCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when `session/delete` is there; it holds nothing yet. Schema: `SessionDeleteCapabilities`.
    public struct SessionDeleteCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when `additionalDirectories` is taken; it holds nothing yet. Schema:
    /// `SessionAdditionalDirectoriesCapabilities`.
    public struct SessionAdditionalDirectoriesCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when `session/fork` is there; it holds nothing yet. Schema: `SessionForkCapabilities`.
    public struct SessionForkCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when `session/resume` is there; it holds nothing yet. Schema: `SessionResumeCapabilities`.
    public struct SessionResumeCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when `session/close` is there; it holds nothing yet. Schema: `SessionCloseCapabilities`.
    public struct SessionCloseCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
