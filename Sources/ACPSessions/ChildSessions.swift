import ACPBase
import JSONCoding

// Child sessions (subagents) are stable in versions 1 and 2 since 2026-11-20, later than schema 1.21.0. Source: the
// announcement "subagents stabilized" and the RFD "subagents". In version 1, an agent sends these types only to clients
// with the `subagents` capability.

extension ACP {
    /// An announcement of a child session, or a change to it. The notification's `sessionId` is that of the parent.
    ///
    ///     {"sessionUpdate":"subagent_update","sessionId":"s1.a","title":"Explorer","capabilities":{"cancel":{}}}
    ///
    /// The first update with an id announces the child, before any other message that names it. A child has one parent,
    /// at any depth, and keeps it. In `otherMembers`, `_meta` is a patch, too: an object changes the stored metadata by
    /// top-level name, and `null` removes all of it.
    public struct SubagentUpdate: Object {
        /// The id of the child session.
        public var sessionId: SessionId
        /// The title to show to the user.
        public var title: Patch<String>
        /// A longer description to show to the user.
        public var description: Patch<String>
        /// The messages that a client can send to the child, besides answers to its requests.
        public var capabilities: Patch<SubagentCapabilities>
        /// The state of the child. In version 1, this is the only source of the child's state. In version 2, it can
        /// repeat the child's own `state_update`.
        public var state: Patch<SubagentState>
        public var otherMembers: OtherMembers

        public init(
            sessionId: SessionId, title: Patch<String> = .unchanged, description: Patch<String> = .unchanged,
            capabilities: Patch<SubagentCapabilities> = .unchanged, state: Patch<SubagentState> = .unchanged,
            meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.title = title
            self.description = description
            self.capabilities = capabilities
            self.state = state
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The messages that a client can send to a child session, besides answers to its requests.
    public struct SubagentCapabilities: Object {
        /// Present when the client can send `session/cancel` with the child's id, which stops the child and its own
        /// children.
        @Lenient public var cancel: SubagentCancelCapabilities?
        public var otherMembers: OtherMembers

        public init(cancel: SubagentCancelCapabilities? = nil, meta: RawJSON? = nil) {
            self.cancel = cancel
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when the client can cancel a child session; has no members yet.
    public struct SubagentCancelCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The state of a child session: `{"state":"idle","stopReason":"end_turn"}`. An idle child has not ended: its
    /// parent can use it again.
    public enum SubagentState: TaggedUnion {
        /// The child works.
        case running(SubagentStateDetails)
        /// The child waits for the user.
        case requiresAction(SubagentStateDetails)
        /// The child does not work.
        case idle(SubagentIdleState)
        /// `unknown` on the wire: the agent does not know the state.
        case indeterminate(SubagentStateDetails)
        /// A state that this module does not know; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "state"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "running": self = .running(try SubagentStateDetails(from: decoder))
            case "requires_action": self = .requiresAction(try SubagentStateDetails(from: decoder))
            case "idle": self = .idle(try SubagentIdleState(from: decoder))
            case "unknown": self = .indeterminate(try SubagentStateDetails(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .running(let value): Variant("running", value)
            case .requiresAction(let value): Variant("requires_action", value)
            case .idle(let value): Variant("idle", value)
            case .indeterminate(let value): Variant("unknown", value)
            case .unknown(let value): Variant(value)
            }
        }
    }

    /// Details of a state that has no members of its own.
    public struct SubagentStateDetails: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The child session does not work.
    public struct SubagentIdleState: Object {
        /// The reason why the child stopped; absent if it is not reported.
        @Lenient public var stopReason: StateStopReason?
        /// The failure, if `stopReason` is `error`.
        @Lenient public var error: ErrorObject?
        public var otherMembers: OtherMembers

        public init(stopReason: StateStopReason? = nil, error: ErrorObject? = nil, meta: RawJSON? = nil) {
            self.stopReason = stopReason
            self.error = error
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The reason why a session stopped its work, in a state. It is `StopReason` of version 2; `ACP.StopReason` is that
    /// of version 1, which has no `error`. Names that begin with `_` are free for extensions.
    public struct StateStopReason: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The agent completed its work.
        public static let endTurn = Self(rawValue: "end_turn")
        /// The work reached the model's token limit.
        public static let maxTokens = Self(rawValue: "max_tokens")
        /// The work reached the limit of model requests per turn.
        public static let maxTurnRequests = Self(rawValue: "max_turn_requests")
        /// The agent refused to continue. The prompt and everything after it will not be part of the next prompt.
        public static let refusal = Self(rawValue: "refusal")
        /// The user or the client ended the work. An agent's own timeout is `error`.
        public static let cancelled = Self(rawValue: "cancelled")
        /// The work failed; `error` has the failure.
        public static let error = Self(rawValue: "error")

        public static let allCases = [endTurn, maxTokens, maxTurnRequests, refusal, cancelled, error]
    }

    /// A message between two sessions, not from the user. Each of the two sessions has its own copy, with an id of its
    /// own. A message with a known id changes that message.
    public struct SessionMessage: Object {
        /// The id of the message in this session.
        public var messageId: MessageId
        /// The session that sent the message; absent if it is not reported.
        @Lenient public var senderSessionId: SessionId?
        /// The session that receives the message; absent if it is not reported.
        @Lenient public var recipientSessionId: SessionId?
        /// The whole content, which replaces all earlier content, chunks included.
        public var content: Patch<[ContentBlock]>
        public var otherMembers: OtherMembers

        public init(
            messageId: MessageId, senderSessionId: SessionId? = nil, recipientSessionId: SessionId? = nil,
            content: Patch<[ContentBlock]> = .unchanged, meta: RawJSON? = nil
        ) {
            self.messageId = messageId
            self.senderSessionId = senderSessionId
            self.recipientSessionId = recipientSessionId
            self.content = content
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A part of a message between two sessions.
    public struct SessionMessageChunk: Object {
        /// The id of the message in this session.
        public var messageId: MessageId
        /// The session that sent the message; absent if it is not reported.
        @Lenient public var senderSessionId: SessionId?
        /// The session that receives the message; absent if it is not reported.
        @Lenient public var recipientSessionId: SessionId?
        /// The content to append to the message.
        public var content: ContentBlock
        public var otherMembers: OtherMembers

        public init(
            messageId: MessageId, content: ContentBlock, senderSessionId: SessionId? = nil,
            recipientSessionId: SessionId? = nil, meta: RawJSON? = nil
        ) {
            self.messageId = messageId
            self.senderSessionId = senderSessionId
            self.recipientSessionId = recipientSessionId
            self.content = content
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A link to a session in a tool call, for example to the child session that does the call's work.
    ///
    /// The published texts name this kind but not its members. They are in `otherMembers`, unchanged.
    public struct SessionContent: Object {
        public var otherMembers: OtherMembers

        public init(otherMembers: OtherMembers = OtherMembers()) {
            self.otherMembers = otherMembers
        }
    }
}
