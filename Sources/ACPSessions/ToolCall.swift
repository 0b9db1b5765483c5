import ACPBase
import JSONCoding

extension ACP {
    /// Identifies a tool call within its session. Schema: `ToolCallId`.
    public struct ToolCallId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A new tool call: the tool, its purpose and its status. Schema: `ToolCall`.
    public struct ToolCall: Object {
        /// The id that later updates refer to.
        public var toolCallId: ToolCallId
        /// A description of the tool for the user.
        public var title: String
        /// The tool's name, for use by programs. Unstable in schema 1.21.0.
        @Lenient public var name: String?
        /// The kind of tool, which decides the icon.
        @Lenient public var kind: ToolKind
        /// The current status.
        @Lenient public var status: ToolCallStatus
        /// The content to show.
        @Lenient public var content: [ToolCallContent]
        /// The locations that the tool works on, so that an editor can follow the agent.
        @Lenient public var locations: [ToolCallLocation]
        /// The tool's input.
        public var rawInput: RawJSON?
        /// The tool's output.
        public var rawOutput: RawJSON?
        public var otherMembers: OtherMembers

        public init(
            toolCallId: ToolCallId, title: String, name: String? = nil, kind: ToolKind = .other,
            status: ToolCallStatus = .pending, content: [ToolCallContent] = [], locations: [ToolCallLocation] = [],
            rawInput: RawJSON? = nil, rawOutput: RawJSON? = nil, meta: RawJSON? = nil
        ) {
            self.toolCallId = toolCallId
            self.title = title
            self.name = name
            self.kind = kind
            self.status = status
            self.content = content
            self.locations = locations
            self.rawInput = rawInput
            self.rawOutput = rawOutput
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Changes to a tool call. Absent members are unchanged. A permission request also uses this type to describe
    /// its tool call. Schema: `ToolCallUpdate`.
    public struct ToolCallUpdate: Object {
        /// The id of the tool call.
        public var toolCallId: ToolCallId
        /// The kind of tool, which decides the icon.
        @Lenient public var kind: ToolKind?
        /// The current status.
        @Lenient public var status: ToolCallStatus?
        /// A description of the tool for the user.
        @Lenient public var title: String?
        /// The tool's name, for use by programs. Unstable in schema 1.21.0.
        @Lenient public var name: String?
        /// Content that replaces all previous content.
        @Lenient public var content: [ToolCallContent]?
        /// Locations that replace all previous locations.
        @Lenient public var locations: [ToolCallLocation]?
        /// The tool's input.
        public var rawInput: RawJSON?
        /// The tool's output.
        public var rawOutput: RawJSON?
        public var otherMembers: OtherMembers

        public init(
            toolCallId: ToolCallId, kind: ToolKind? = nil, status: ToolCallStatus? = nil, title: String? = nil,
            name: String? = nil, content: [ToolCallContent]? = nil, locations: [ToolCallLocation]? = nil,
            rawInput: RawJSON? = nil, rawOutput: RawJSON? = nil, meta: RawJSON? = nil
        ) {
            self.toolCallId = toolCallId
            self.kind = kind
            self.status = status
            self.title = title
            self.name = name
            self.content = content
            self.locations = locations
            self.rawInput = rawInput
            self.rawOutput = rawOutput
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The kind of a tool, which decides its icon. Schema: `ToolKind`.
    public struct ToolKind: OpenEnum, AbsenceMeans {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Reads files or data.
        public static let read = Self(rawValue: "read")
        /// Changes files.
        public static let edit = Self(rawValue: "edit")
        /// Deletes files or data.
        public static let delete = Self(rawValue: "delete")
        /// Moves or renames files.
        public static let move = Self(rawValue: "move")
        /// Searches.
        public static let search = Self(rawValue: "search")
        /// Runs commands or code.
        public static let execute = Self(rawValue: "execute")
        /// Thinks or plans.
        public static let think = Self(rawValue: "think")
        /// Fetches external data.
        public static let fetch = Self(rawValue: "fetch")
        /// Switches the session's mode.
        public static let switchMode = Self(rawValue: "switch_mode")
        /// Anything else. This is the default when absent.
        public static let other = Self(rawValue: "other")

        public static let allCases = [read, edit, delete, move, search, execute, think, fetch, switchMode, other]
        public static let absent = other
    }

    /// The status of a tool call. A cancelled call has no status of its own. Schema: `ToolCallStatus`.
    public struct ToolCallStatus: OpenEnum, AbsenceMeans {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Not started: the input is incomplete, or the call waits for permission. This is the default when absent.
        public static let pending = Self(rawValue: "pending")
        /// In progress.
        public static let inProgress = Self(rawValue: "in_progress")
        /// The work is complete.
        public static let completed = Self(rawValue: "completed")
        /// The call failed.
        public static let failed = Self(rawValue: "failed")

        public static let allCases = [pending, inProgress, completed, failed]
        public static let absent = pending
    }

    /// A location that a tool works on. Schema: `ToolCallLocation`.
    public struct ToolCallLocation: Object {
        /// The absolute path of the file.
        public var path: String
        /// The line, from 1.
        @Lenient public var line: UInt32?
        public var otherMembers: OtherMembers

        public init(path: String, line: UInt32? = nil, meta: RawJSON? = nil) {
            self.path = path
            self.line = line
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
