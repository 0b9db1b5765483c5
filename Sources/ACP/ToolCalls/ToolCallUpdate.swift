import JSONCoding

extension ACP {
    /// Changes to a tool call. Absent members are unchanged. A permission request also uses this type to describe
    /// its tool call. Schema: `ToolCallUpdate`.
    public struct ToolCallUpdate: Object {
        /// The id of the tool call.
        public var toolCallId: ToolCallId
        /// The kind of tool, which decides the icon.
        @Lenient public var kind: ToolKind?
        /// The current status.
        @Lenient public var status: ToolCallStatus?
        /// A description of what the tool does, to show to the user.
        @Lenient public var title: String?
        /// Unstable. The tool's name, for use by programs.
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
}
