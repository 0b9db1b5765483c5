import JSONCoding

extension ACP {
    /// Unstable. Identifies a compaction of a session's context. Schema: `CompactionId`.
    public struct CompactionId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Unstable. The status of a compaction. Names that begin with `_` are free for extensions. Schema:
    /// `CompactionStatus`.
    public struct CompactionStatus: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// In progress.
        public static let inProgress = Self(rawValue: "in_progress")
        /// The work is complete.
        public static let completed = Self(rawValue: "completed")
        /// The compaction failed; `error` has the reason.
        public static let failed = Self(rawValue: "failed")
        /// The compaction was cancelled.
        public static let cancelled = Self(rawValue: "cancelled")

        public static let allCases = [inProgress, completed, failed, cancelled]
    }

    /// Unstable. A compaction of the context, running or complete. The first update with an id fixes the
    /// compaction's place in the timeline; later ones change it. Schema: `CompactionUpdate`.
    public struct CompactionUpdate: Object {
        /// The id of the compaction.
        public var compactionId: CompactionId
        /// The current status.
        public var status: CompactionStatus
        /// The whole summary that replaces the context, if it can be shown.
        @Lenient public var summary: [ContentBlock]?
        /// The reason of the failure, to show to the user.
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

    /// Unstable. A part of the summary that replaces a compacted context. Schema: `CompactionSummaryChunk`.
    public struct CompactionSummaryChunk: Object {
        /// The id of the compaction.
        public var compactionId: CompactionId
        /// The content to append to the compaction's summary.
        public var content: ContentBlock
        public var otherMembers: OtherMembers

        public init(compactionId: CompactionId, content: ContentBlock, meta: RawJSON? = nil) {
            self.compactionId = compactionId
            self.content = content
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
