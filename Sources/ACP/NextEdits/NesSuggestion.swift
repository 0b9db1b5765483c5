import JSONCoding

extension ACP {
    /// Unstable. Names a suggestion, to accept or reject it. Schema: `NesSuggestionId`.
    public struct NesSuggestionId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Unstable. Something that the user may want to do. Schema: `NesSuggestion`.
    public enum NesSuggestion: TaggedUnion {
        /// To change text.
        case edit(NesEditSuggestion)
        /// To go elsewhere.
        case jump(NesJumpSuggestion)
        /// To rename a symbol.
        case rename(NesRenameSuggestion)
        /// To replace text everywhere.
        case searchAndReplace(NesSearchAndReplaceSuggestion)
        /// A kind that is not known here, as it is spelt.
        case unknown(UnknownVariant)

        public static let tagName = "kind"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "edit": self = .edit(try NesEditSuggestion(from: decoder))
            case "jump": self = .jump(try NesJumpSuggestion(from: decoder))
            case "rename": self = .rename(try NesRenameSuggestion(from: decoder))
            case "searchAndReplace": self = .searchAndReplace(try NesSearchAndReplaceSuggestion(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .edit(let value): Variant("edit", value)
            case .jump(let value): Variant("jump", value)
            case .rename(let value): Variant("rename", value)
            case .searchAndReplace(let value): Variant("searchAndReplace", value)
            case .unknown(let value): Variant(value)
            }
        }
    }

    /// Unstable. To change text. Schema: `NesEditSuggestion`.
    public struct NesEditSuggestion: Object {
        /// To accept or reject it.
        public var id: NesSuggestionId
        /// The file.
        public var uri: String
        /// The changes.
        public var edits: [NesTextEdit]
        /// Where the cursor goes then.
        @Lenient public var cursorPosition: Position?
        public var otherMembers: OtherMembers

        public init(
            id: NesSuggestionId, uri: String, edits: [NesTextEdit], cursorPosition: Position? = nil,
            meta: RawJSON? = nil
        ) {
            self.id = id
            self.uri = uri
            self.edits = edits
            self.cursorPosition = cursorPosition
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. A change of text. Schema: `NesTextEdit`.
    public struct NesTextEdit: Object {
        /// What is replaced.
        public var range: Range
        /// By what.
        public var newText: String
        public var otherMembers: OtherMembers

        public init(range: Range, newText: String, meta: RawJSON? = nil) {
            self.range = range
            self.newText = newText
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. To go elsewhere. Schema: `NesJumpSuggestion`.
    public struct NesJumpSuggestion: Object {
        /// To accept or reject it.
        public var id: NesSuggestionId
        /// The file.
        public var uri: String
        /// Where in it.
        public var position: Position
        public var otherMembers: OtherMembers

        public init(id: NesSuggestionId, uri: String, position: Position, meta: RawJSON? = nil) {
            self.id = id
            self.uri = uri
            self.position = position
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. To rename a symbol. Schema: `NesRenameSuggestion`.
    public struct NesRenameSuggestion: Object {
        /// To accept or reject it.
        public var id: NesSuggestionId
        /// The file.
        public var uri: String
        /// Where the symbol stands.
        public var position: Position
        /// What it is to be called.
        public var newName: String
        public var otherMembers: OtherMembers

        public init(id: NesSuggestionId, uri: String, position: Position, newName: String, meta: RawJSON? = nil) {
            self.id = id
            self.uri = uri
            self.position = position
            self.newName = newName
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. To replace text everywhere in a file. Schema: `NesSearchAndReplaceSuggestion`.
    public struct NesSearchAndReplaceSuggestion: Object {
        /// To accept or reject it.
        public var id: NesSuggestionId
        /// The file.
        public var uri: String
        /// What to look for.
        public var search: String
        /// What to put there.
        public var replace: String
        /// True when `search` is a regular expression; false when absent.
        public var isRegex: Bool?
        public var otherMembers: OtherMembers

        public init(
            id: NesSuggestionId, uri: String, search: String, replace: String, isRegex: Bool? = nil,
            meta: RawJSON? = nil
        ) {
            self.id = id
            self.uri = uri
            self.search = search
            self.replace = replace
            self.isRegex = isRegex
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
