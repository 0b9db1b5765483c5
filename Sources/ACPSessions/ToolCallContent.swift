import ACPBase
import JSONCoding

extension ACP {
    /// Content that a tool call shows. Schema: `ToolCallContent`.
    public enum ToolCallContent: TaggedUnion {
        /// Text, an image or another content block.
        case content(Content)
        /// A change of a file.
        case diff(Diff)
        /// Live output of one of the client's terminals.
        case terminal(Terminal)
        /// A link to a session. For clients with the `subagents` capability.
        case session(SessionContent)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "type"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "content": self = .content(try Content(from: decoder))
            case "diff": self = .diff(try Diff(from: decoder))
            case "terminal": self = .terminal(try Terminal(from: decoder))
            case "session": self = .session(try SessionContent(from: decoder))
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

    /// A content block in a tool call. Schema: `Content`.
    public struct Content: Object {
        /// The content block.
        public var content: ContentBlock
        public var otherMembers: OtherMembers

        public init(content: ContentBlock, meta: RawJSON? = nil) {
            self.content = content
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A change of a file. Schema: `Diff`.
    public struct Diff: Object {
        /// The absolute path of the file.
        public var path: String
        /// The old contents of the file; absent for a new file.
        @Lenient public var oldText: String?
        /// The new contents of the file.
        public var newText: String
        public var otherMembers: OtherMembers

        public init(path: String, newText: String, oldText: String? = nil, meta: RawJSON? = nil) {
            self.path = path
            self.oldText = oldText
            self.newText = newText
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Identifies one of the client's terminals. Schema: `TerminalId`.
    public struct TerminalId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A terminal in a tool call. The client continues to show it after it is released. Schema: `Terminal`.
    public struct Terminal: Object {
        /// The id that `terminal/create` returned.
        public var terminalId: TerminalId
        public var otherMembers: OtherMembers

        public init(terminalId: TerminalId, meta: RawJSON? = nil) {
            self.terminalId = terminalId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
