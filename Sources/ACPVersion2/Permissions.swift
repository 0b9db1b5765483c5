import ACPBase
import ACPClientServices
import ACPMethods
import ACPSessions
import JSONCoding

extension ACP.V2.Client {
    /// Asks the user for permission. The agent can withdraw the request with `$/cancel_request`; the client then
    /// answers with `cancelled`. Schema: `RequestPermissionRequest`.
    public struct SessionRequestPermissionRequest: ACP.Request {
        public typealias Response = SessionRequestPermissionResponse
        public static let method = ACPMethod.sessionRequestPermission.name

        /// The session that asks; can be a child session.
        public var sessionId: ACP.SessionId
        /// The question to show to the user.
        public var title: String
        /// A longer description to show to the user.
        @Lenient public var description: String?
        /// The operation that needs permission.
        public var subject: ACP.V2.RequestPermissionSubject?
        /// The answers to choose from.
        public var options: [ACP.PermissionOption]
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, title: String, options: [ACP.PermissionOption], description: String? = nil,
            subject: ACP.V2.RequestPermissionSubject? = nil, meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.title = title
            self.description = description
            self.subject = subject
            self.options = options
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The user's answer. Schema: `RequestPermissionResponse`.
    public struct SessionRequestPermissionResponse: ACP.Object {
        /// The chosen option, or `cancelled`. An agent treats an unknown outcome, and an option that it did not offer,
        /// as no permission.
        public var outcome: ACP.V2.RequestPermissionOutcome
        public var otherMembers: OtherMembers

        public init(outcome: ACP.V2.RequestPermissionOutcome, meta: RawJSON? = nil) {
            self.outcome = outcome
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP.V2 {
    /// The user's answer to a permission request. Schema: `RequestPermissionOutcome`.
    public enum RequestPermissionOutcome: TaggedUnion {
        /// The user chose one of the options. It can be a rejection.
        case selected(ACP.SelectedPermissionOutcome)
        /// No option was chosen: the work was cancelled, the user dismissed the question, or a policy declined it.
        case cancelled(CancelledPermissionOutcome)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "outcome"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "selected": self = .selected(try ACP.SelectedPermissionOutcome(from: decoder))
            case "cancelled": self = .cancelled(try CancelledPermissionOutcome(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .selected(let value): Variant("selected", value)
            case .cancelled(let value): Variant("cancelled", value)
            case .unknown(let value): Variant(value)
            }
        }
    }

    /// No option was chosen; has no members yet.
    public struct CancelledPermissionOutcome: ACP.Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The operation that needs permission. Schema: `RequestPermissionSubject`.
    public enum RequestPermissionSubject: TaggedUnion {
        /// A tool call.
        case toolCall(ToolCallPermissionSubject)
        /// A command.
        case command(CommandPermissionSubject)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "type"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "tool_call": self = .toolCall(try ToolCallPermissionSubject(from: decoder))
            case "command": self = .command(try CommandPermissionSubject(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .toolCall(let value): Variant("tool_call", value)
            case .command(let value): Variant("command", value)
            case .unknown(let value): Variant(value)
            }
        }
    }

    /// A tool call that needs permission. Schema: `ToolCallPermissionSubject`.
    public struct ToolCallPermissionSubject: ACP.Object {
        /// The tool call. It changes the stored tool call in the same way as an update.
        public var toolCall: ToolCallUpdate
        public var otherMembers: OtherMembers

        public init(toolCall: ToolCallUpdate, meta: RawJSON? = nil) {
            self.toolCall = toolCall
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A command that needs permission. Schema: `CommandPermissionSubject`.
    public struct CommandPermissionSubject: ACP.Object {
        /// The command.
        public var command: String
        /// The working directory: an absolute path.
        public var cwd: String
        /// The tool call that runs the command.
        @Lenient public var toolCallId: ACP.ToolCallId?
        /// The terminal that will show the output.
        @Lenient public var terminalId: ACP.TerminalId?
        public var otherMembers: OtherMembers

        public init(
            command: String, cwd: String, toolCallId: ACP.ToolCallId? = nil, terminalId: ACP.TerminalId? = nil,
            meta: RawJSON? = nil
        ) {
            self.command = command
            self.cwd = cwd
            self.toolCallId = toolCallId
            self.terminalId = terminalId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
