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
        /// A description of what the tool does, to show to the user.
        public var title: String
        /// Unstable. The tool's name, for use by programs.
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
}
