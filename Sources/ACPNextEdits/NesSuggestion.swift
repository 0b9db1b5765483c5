import ACPBase
import JSONCoding

extension ACP {
    /// Unstable. Identifies a suggestion, so that the client can accept or reject it. Schema: `NesSuggestionId`.
    public struct NesSuggestionId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Unstable. A suggested next step for the user. Schema: `NesSuggestion`.
    public enum NesSuggestion: TaggedUnion {
        /// Change text.
        case edit(NesEditSuggestion)
        /// Move to another place.
        case jump(NesJumpSuggestion)
        /// Rename a symbol.
        case rename(NesRenameSuggestion)
        /// Replace text everywhere in a file.
        case searchAndReplace(NesSearchAndReplaceSuggestion)
        /// An unknown kind; its JSON is kept unchanged.
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

    /// Unstable. A suggestion to change text. Schema: `NesEditSuggestion`.
    public struct NesEditSuggestion: Object {
        /// The id for `nes/accept` and `nes/reject`.
        public var id: NesSuggestionId
        /// The URI of the file.
        public var uri: String
        /// The changes.
        public var edits: [NesTextEdit]
        /// The position of the cursor after the changes.
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
        /// The range to replace.
        public var range: Range
        /// The replacement text.
        public var newText: String
        public var otherMembers: OtherMembers

        public init(range: Range, newText: String, meta: RawJSON? = nil) {
            self.range = range
            self.newText = newText
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. A suggestion to move to another place. Schema: `NesJumpSuggestion`.
    public struct NesJumpSuggestion: Object {
        /// The id for `nes/accept` and `nes/reject`.
        public var id: NesSuggestionId
        /// The URI of the file.
        public var uri: String
        /// The position in the file.
        public var position: Position
        public var otherMembers: OtherMembers

        public init(id: NesSuggestionId, uri: String, position: Position, meta: RawJSON? = nil) {
            self.id = id
            self.uri = uri
            self.position = position
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. A suggestion to rename a symbol. Schema: `NesRenameSuggestion`.
    public struct NesRenameSuggestion: Object {
        /// The id for `nes/accept` and `nes/reject`.
        public var id: NesSuggestionId
        /// The URI of the file.
        public var uri: String
        /// The position of the symbol.
        public var position: Position
        /// The new name of the symbol.
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

    /// Unstable. A suggestion to replace text everywhere in a file. Schema: `NesSearchAndReplaceSuggestion`.
    public struct NesSearchAndReplaceSuggestion: Object {
        /// The id for `nes/accept` and `nes/reject`.
        public var id: NesSuggestionId
        /// The URI of the file.
        public var uri: String
        /// The text to search for.
        public var search: String
        /// The replacement text.
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
