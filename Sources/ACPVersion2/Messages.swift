import ACPBase
import ACPSessions
import JSONCoding

extension ACP.V2 {
    /// A whole message of the user or the agent, or a change to it. A new id adds a message. In `otherMembers`, `_meta`
    /// is a patch, too. Schema: `UserMessage`, `AgentMessage`, `AgentThought`.
    ///
    /// Ids are unique only among messages of one kind: a thought and an answer can have the same id.
    public struct MessageUpdate: ACP.Object {
        /// The id of the message.
        public var messageId: ACP.MessageId
        /// The whole content, which replaces all earlier content, chunks included.
        public var content: Patch<[ACP.ContentBlock]>
        public var otherMembers: OtherMembers

        public init(
            messageId: ACP.MessageId, content: Patch<[ACP.ContentBlock]> = .unchanged, meta: RawJSON? = nil
        ) {
            self.messageId = messageId
            self.content = content
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A part of a message. Schema: `ContentChunk`.
    public struct ContentChunk: ACP.Object {
        /// The id of the message.
        public var messageId: ACP.MessageId
        /// The content to append to the message.
        public var content: ACP.ContentBlock
        public var otherMembers: OtherMembers

        public init(messageId: ACP.MessageId, content: ACP.ContentBlock, meta: RawJSON? = nil) {
            self.messageId = messageId
            self.content = content
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A compaction of the context, running or complete, or a change to it. The first update with an id fixes the
    /// compaction's place in the timeline. In `otherMembers`, `_meta` is a patch, too. Schema: `CompactionUpdate`.
    public struct CompactionUpdate: ACP.Object {
        /// The id of the compaction.
        public var compactionId: ACP.CompactionId
        /// The current status.
        public var status: ACP.CompactionStatus
        /// The whole summary that replaces the context, if it can be shown.
        public var summary: Patch<[ACP.ContentBlock]>
        /// The reason of the failure, to show to the user.
        public var error: Patch<String>
        public var otherMembers: OtherMembers

        public init(
            compactionId: ACP.CompactionId, status: ACP.CompactionStatus,
            summary: Patch<[ACP.ContentBlock]> = .unchanged, error: Patch<String> = .unchanged,
            meta: RawJSON? = nil
        ) {
            self.compactionId = compactionId
            self.status = status
            self.summary = summary
            self.error = error
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The end of a replay in a session. Everything before it is history. Each child session that is announced in the
    /// replay has its own. No members are known. Source: the RFD "session replay complete".
    public struct ReplayComplete: ACP.Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
