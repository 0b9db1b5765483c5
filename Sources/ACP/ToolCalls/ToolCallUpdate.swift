import JSONCoding

extension ACP {
    /// What has changed about a tool call; absent is unchanged. It is also how a permission request shows the call it
    /// is about. Schema: `ToolCallUpdate`.
    public struct ToolCallUpdate: Object {
        /// Which one.
        public var toolCallId: ToolCallId
        /// For the icon.
        @Lenient public var kind: ToolKind?
        /// How far it has come.
        @Lenient public var status: ToolCallStatus?
        /// What it does, for the user.
        @Lenient public var title: String?
        /// Unstable. The tool's name, for programs.
        @Lenient public var name: String?
        /// Replaces all that it had to show.
        @Lenient public var content: [ToolCallContent]?
        /// Replaces all its places.
        @Lenient public var locations: [ToolCallLocation]?
        /// What the tool was given.
        public var rawInput: RawJSON?
        /// What the tool gave.
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
}
