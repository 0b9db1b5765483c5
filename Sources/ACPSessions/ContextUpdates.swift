import ACPBase
import JSONCoding

extension ACP {
    /// The fill level of the context, and the cost of the session. Schema: `UsageUpdate`.
    public struct UsageUpdate: Object {
        /// The number of tokens in the context.
        public var used: UInt64
        /// The size of the context, in tokens.
        public var size: UInt64
        /// The cost of the session so far.
        @Lenient public var cost: Cost?
        public var otherMembers: OtherMembers

        public init(used: UInt64, size: UInt64, cost: Cost? = nil, meta: RawJSON? = nil) {
            self.used = used
            self.size = size
            self.cost = cost
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// An amount of money. Schema: `Cost`.
    public struct Cost: Object {
        /// The amount, in units of `currency`.
        public var amount: Double
        /// The currency, as three letters of ISO 4217: `USD`.
        public var currency: String
        public var otherMembers: OtherMembers

        public init(amount: Double, currency: String, meta: RawJSON? = nil) {
            self.amount = amount
            self.currency = currency
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Identifies a compaction of a session's context. Unstable in schema 1.21.0, stable in version 2. Schema:
    /// `CompactionId`.
    public struct CompactionId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The status of a compaction. Names that begin with `_` are free for extensions. Unstable in schema 1.21.0, stable
    /// in version 2. Schema: `CompactionStatus`.
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

    /// A compaction of the context, running or complete. The first update with an id fixes the compaction's place in
    /// the timeline; later ones change it. Unstable in schema 1.21.0. Schema: `CompactionUpdate`.
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

    /// A part of the summary that replaces a compacted context. Unstable in schema 1.21.0, stable in version 2. Schema:
    /// `CompactionSummaryChunk`.
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
