import JSONCoding

extension ACP {
    /// Names a tool call within its session. Schema: `ToolCallId`.
    public struct ToolCallId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A tool is called: what it is, for what, and how far it has come. Schema: `ToolCall`.
    public struct ToolCall: Object {
        /// For the updates that follow.
        public var toolCallId: ToolCallId
        /// What it does, for the user.
        public var title: String
        /// Unstable. The tool's name, for programs.
        @Lenient public var name: String?
        /// For the icon.
        @Lenient public var kind: ToolKind
        /// How far it has come.
        @Lenient public var status: ToolCallStatus
        /// What it has to show.
        @Lenient public var content: [ToolCallContent]
        /// The places it works on, for an editor that follows.
        @Lenient public var locations: [ToolCallLocation]
        /// What the tool was given.
        public var rawInput: RawJSON?
        /// What the tool gave.
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
