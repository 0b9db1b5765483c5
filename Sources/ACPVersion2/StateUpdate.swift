import ACPBase
import ACPSessions
import JSONCoding

extension ACP.V2 {
    /// The state of a session: `{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}`.
    ///
    /// Turns begin and end with these updates, not with `session/prompt`. An idle update that follows an idle update is
    /// a repetition: it can repeat the last stop reason, and does not end another turn. Schema: `StateUpdate`.
    public enum StateUpdate: TaggedUnion {
        /// The agent works on the conversation.
        case running(StateDetails)
        /// The work on the conversation waits for the user.
        case requiresAction(StateDetails)
        /// The session is ready for a prompt. Background work can continue.
        case idle(IdleStateUpdate)
        /// `unknown` on the wire: the agent does not know the state.
        case indeterminate(StateDetails)
        /// A state that this module does not know; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "state"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "running": self = .running(try StateDetails(from: decoder))
            case "requires_action": self = .requiresAction(try StateDetails(from: decoder))
            case "idle": self = .idle(try IdleStateUpdate(from: decoder))
            case "unknown": self = .indeterminate(try StateDetails(from: decoder))
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

    /// The details of every state except idle. Schema: `RunningStateUpdate`, `RequiresActionStateUpdate`.
    public struct StateDetails: ACP.Object {
        /// All work that runs independently of the conversation. Nil: not reported; the sources do not state whether
        /// the work is then unchanged. Source: the RFD "background work".
        @Lenient public var background: [BackgroundWork]?
        public var otherMembers: OtherMembers

        public init(background: [BackgroundWork]? = nil, meta: RawJSON? = nil) {
            self.background = background
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The details of the state idle. Schema: `IdleStateUpdate`.
    public struct IdleStateUpdate: ACP.Object {
        /// The reason why the work stopped; absent if it is not reported.
        @Lenient public var stopReason: StopReason?
        /// The failure, if `stopReason` is `error`.
        @Lenient public var error: ACP.ErrorObject?
        /// Unstable. The tokens that the turn used.
        @Lenient public var usage: ACP.Usage?
        /// All work that runs independently of the conversation. Nil: not reported; the sources do not state whether
        /// the work is then unchanged. Source: the RFD "background work".
        @Lenient public var background: [BackgroundWork]?
        public var otherMembers: OtherMembers

        public init(
            stopReason: StopReason? = nil, error: ACP.ErrorObject? = nil, usage: ACP.Usage? = nil,
            background: [BackgroundWork]? = nil, meta: RawJSON? = nil
        ) {
            self.stopReason = stopReason
            self.error = error
            self.usage = usage
            self.background = background
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Work that runs independently of the conversation: `{"type":"terminal","terminalId":"t2"}`. It was announced by
    /// an update before it is listed.
    ///
    /// The sources name the three kinds and the `sessionId` of a child session. The name of the tag, its values and the
    /// two other ids are inferred from the other unions, so work without the expected id is also `unknown`.
    public enum BackgroundWork: TaggedUnion {
        /// The command of a terminal.
        case terminal(BackgroundTerminal)
        /// A tool call.
        case toolCall(BackgroundToolCall)
        /// A child session.
        case subagent(BackgroundSubagent)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "type"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "terminal" where try decoder.hasMember("terminalId"):
                self = .terminal(try BackgroundTerminal(from: decoder))
            case "tool_call" where try decoder.hasMember("toolCallId"):
                self = .toolCall(try BackgroundToolCall(from: decoder))
            case "subagent" where try decoder.hasMember("sessionId"):
                self = .subagent(try BackgroundSubagent(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .terminal(let value): Variant("terminal", value)
            case .toolCall(let value): Variant("tool_call", value)
            case .subagent(let value): Variant("subagent", value)
            case .unknown(let value): Variant(value)
            }
        }
    }

    /// A terminal with a command that runs in the background.
    public struct BackgroundTerminal: ACP.Object {
        /// The terminal.
        public var terminalId: ACP.TerminalId
        public var otherMembers: OtherMembers

        public init(terminalId: ACP.TerminalId, meta: RawJSON? = nil) {
            self.terminalId = terminalId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A tool call that runs in the background.
    public struct BackgroundToolCall: ACP.Object {
        /// The tool call.
        public var toolCallId: ACP.ToolCallId
        public var otherMembers: OtherMembers

        public init(toolCallId: ACP.ToolCallId, meta: RawJSON? = nil) {
            self.toolCallId = toolCallId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A child session that works in the background. Schema: `BackgroundSubagent`.
    public struct BackgroundSubagent: ACP.Object {
        /// The child session.
        public var sessionId: ACP.SessionId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
