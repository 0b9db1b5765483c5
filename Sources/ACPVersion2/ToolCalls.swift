import ACPBase
import ACPSessions
import JSONCoding

extension ACP.V2 {
    /// A tool call, or a change to it. A new id adds a tool call, which should have a title. Version 2 has no separate
    /// update for new calls. In `otherMembers`, `_meta` is a patch, too. Schema: `ToolCallUpdate`.
    public struct ToolCallUpdate: ACP.Object {
        /// The id of the tool call.
        public var toolCallId: ACP.ToolCallId
        /// A description of the tool for the user.
        public var title: Patch<String>
        /// The tool's name, for use by programs.
        public var name: Patch<String>
        /// The kind of tool, which decides the icon.
        public var kind: Patch<ACP.ToolKind>
        /// The current status.
        public var status: Patch<ToolCallStatus>
        /// Content that replaces all previous content.
        public var content: Patch<[ToolCallContent]>
        /// Locations that replace all previous locations.
        public var locations: Patch<[ACP.ToolCallLocation]>
        /// The tool's input.
        public var rawInput: Patch<RawJSON>
        /// The tool's output.
        public var rawOutput: Patch<RawJSON>
        /// The requests that a client can send about the tool call now.
        public var capabilities: Patch<WorkCapabilities>
        public var otherMembers: OtherMembers

        /// Creates an update that changes nothing. Set the members that change.
        public init(toolCallId: ACP.ToolCallId, meta: RawJSON? = nil) {
            self.toolCallId = toolCallId
            (title, name, kind, status) = (.unchanged, .unchanged, .unchanged, .unchanged)
            (content, locations, capabilities) = (.unchanged, .unchanged, .unchanged)
            (rawInput, rawOutput) = (.unchanged, .unchanged)
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The requests that a client can send about a tool call or a terminal.
    public struct WorkCapabilities: ACP.Object {
        /// Present when the client can send `tool_call/cancel` or `terminal/cancel`.
        @Lenient public var cancel: SupportMarker?
        public var otherMembers: OtherMembers

        public init(cancel: SupportMarker? = nil, meta: RawJSON? = nil) {
            self.cancel = cancel
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The status of a tool call. An unknown status counts as `inProgress`. Schema: `ToolCallStatus`.
    public struct ToolCallStatus: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Not started: the input is incomplete, the call waits for permission, or it is scheduled for later.
        public static let pending = Self(rawValue: "pending")
        /// In progress.
        public static let inProgress = Self(rawValue: "in_progress")
        /// Started, and waiting to be resumed. Newer than alpha.3.
        public static let paused = Self(rawValue: "paused")
        /// The work is complete.
        public static let completed = Self(rawValue: "completed")
        /// The call failed.
        public static let failed = Self(rawValue: "failed")
        /// The call was cancelled.
        public static let cancelled = Self(rawValue: "cancelled")

        public static let allCases = [pending, inProgress, paused, completed, failed, cancelled]
    }

    /// A part of a tool call's content. Schema: `ToolCallContentChunk`.
    public struct ToolCallContentChunk: ACP.Object {
        /// The id of the tool call.
        public var toolCallId: ACP.ToolCallId
        /// The content to append to the tool call's content.
        public var content: ToolCallContent
        public var otherMembers: OtherMembers

        public init(toolCallId: ACP.ToolCallId, content: ToolCallContent, meta: RawJSON? = nil) {
            self.toolCallId = toolCallId
            self.content = content
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Content that a tool call shows. Schema: `ToolCallContent`.
    public enum ToolCallContent: TaggedUnion {
        /// Text, an image or another content block.
        case content(ACP.Content)
        /// Changes of files.
        case diff(Diff)
        /// The output of one of the agent's terminals.
        case terminal(ACP.Terminal)
        /// A link to a session. Newer than alpha.3.
        case session(ACP.SessionContent)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "type"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "content": self = .content(try ACP.Content(from: decoder))
            case "diff": self = .diff(try Diff(from: decoder))
            case "terminal": self = .terminal(try ACP.Terminal(from: decoder))
            case "session": self = .session(try ACP.SessionContent(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .content(let value): Variant("content", value)
            case .diff(let value): Variant("diff", value)
            case .terminal(let value): Variant("terminal", value)
            case .session(let value): Variant("session", value)
            case .unknown(let value): Variant(value)
            }
        }
    }
}
