import JSONCoding

extension ACP {
    /// What a tool call has to show. Schema: `ToolCallContent`.
    public enum ToolCallContent: TaggedUnion {
        /// Text, a picture or another block.
        case content(Content)
        /// A change of a file.
        case diff(Diff)
        /// A terminal of the client's, as it goes on.
        case terminal(Terminal)
        /// A kind that is not known here, as it is spelt.
        case unknown(UnknownVariant)

        public static let tagName = "type"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "content": self = .content(try Content(from: decoder))
            case "diff": self = .diff(try Diff(from: decoder))
            case "terminal": self = .terminal(try Terminal(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .content(let value): Variant("content", value)
            case .diff(let value): Variant("diff", value)
            case .terminal(let value): Variant("terminal", value)
            case .unknown(let value): Variant(value)
            }
        }
    }

    /// A block in a tool call. Schema: `Content`.
    public struct Content: Object {
        /// The block.
        public var content: ContentBlock
        public var otherMembers: OtherMembers

        public init(content: ContentBlock, meta: RawJSON? = nil) {
            self.content = content
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A change of a file. Schema: `Diff`.
    public struct Diff: Object {
        /// The file: an absolute path.
        public var path: String
        /// What it held before; absent for a new file.
        @Lenient public var oldText: String?
        /// What it holds then.
        public var newText: String
        public var otherMembers: OtherMembers

        public init(path: String, newText: String, oldText: String? = nil, meta: RawJSON? = nil) {
            self.path = path
            self.oldText = oldText
            self.newText = newText
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A terminal in a tool call. It stays shown when it is released. Schema: `Terminal`.
    public struct Terminal: Object {
        /// From `terminal/create`.
        public var terminalId: TerminalId
        public var otherMembers: OtherMembers

        public init(terminalId: TerminalId, meta: RawJSON? = nil) {
            self.terminalId = terminalId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
