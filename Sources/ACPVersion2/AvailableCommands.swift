import ACPBase
import JSONCoding

extension ACP.V2 {
    /// The complete list of commands that a prompt can begin with. Schema: `AvailableCommandsUpdate`.
    public struct AvailableCommandsUpdate: ACP.Object {
        /// In display order.
        @Lossy public var availableCommands: [AvailableCommand]
        public var otherMembers: OtherMembers

        public init(availableCommands: [AvailableCommand] = [], meta: RawJSON? = nil) {
            self.availableCommands = availableCommands
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A command: `/name input`. Schema: `AvailableCommand`.
    public struct AvailableCommand: ACP.Object {
        /// The name, without the slash.
        public var name: String
        /// The description to show to the user.
        public var description: String
        /// The input that can follow the name; none when absent.
        @Lenient public var input: AvailableCommandInput?
        public var otherMembers: OtherMembers

        public init(name: String, description: String, input: AvailableCommandInput? = nil, meta: RawJSON? = nil) {
            self.name = name
            self.description = description
            self.input = input
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The input that can follow a command's name: `{"type":"text","hint":"a path"}`. Schema: `AvailableCommandInput`.
    public enum AvailableCommandInput: TaggedUnion {
        /// Free text.
        case text(TextCommandInput)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "type"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "text": self = .text(try TextCommandInput(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .text(let value): Variant("text", value)
            case .unknown(let value): Variant(value)
            }
        }
    }

    /// Free text that follows a command's name. Schema: `TextCommandInput`.
    public struct TextCommandInput: ACP.Object {
        /// The placeholder to show while the input is empty.
        public var hint: String
        public var otherMembers: OtherMembers

        public init(hint: String, meta: RawJSON? = nil) {
            self.hint = hint
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
