import JSONCoding

extension ACP {
    /// Unstable. Names a shortening of a session's context. Schema: `CompactionId`.
    public struct CompactionId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Unstable. How far a shortening has come. Names that begin with `_` are anyone's. Schema: `CompactionStatus`.
    public struct CompactionStatus: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It has begun.
        public static let inProgress = Self(rawValue: "in_progress")
        /// It is done.
        public static let completed = Self(rawValue: "completed")
        /// It went wrong, as `error` says.
        public static let failed = Self(rawValue: "failed")
        /// It was stopped.
        public static let cancelled = Self(rawValue: "cancelled")

        public static let allCases = [inProgress, completed, failed, cancelled]
    }

    /// Unstable. The context is being shortened, or was. The first of an id fixes its place in the timeline, later ones
    /// change it. Schema: `CompactionUpdate`.
    public struct CompactionUpdate: Object {
        /// Which one.
        public var compactionId: CompactionId
        /// How far it has come.
        public var status: CompactionStatus
        /// What remains, whole, if it is shown.
        @Lenient public var summary: [ContentBlock]?
        /// What went wrong, for the user.
        @Lenient public var error: String?
        public var otherMembers: OtherMembers

        public init(
            compactionId: CompactionId, status: CompactionStatus, summary: [ContentBlock]? = nil,
            error: String? = nil, meta: RawJSON? = nil
        ) {
            self.compactionId = compactionId
            self.status = status
            self.summary = summary
            self.error = error
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. A piece of what remains of a shortened context. Schema: `CompactionSummaryChunk`.
    public struct CompactionSummaryChunk: Object {
        /// Which one it belongs to.
        public var compactionId: CompactionId
        /// To be appended to its summary.
        public var content: ContentBlock
        public var otherMembers: OtherMembers

        public init(compactionId: CompactionId, content: ContentBlock, meta: RawJSON? = nil) {
            self.compactionId = compactionId
            self.content = content
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
