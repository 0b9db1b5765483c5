import ACPBase
import JSONCoding

extension ACP {
    /// The complete list of commands that a prompt can begin with. Schema: `AvailableCommandsUpdate`.
    public struct AvailableCommandsUpdate: Object {
        /// In display order.
        @Lossy public var availableCommands: [AvailableCommand]
        public var otherMembers: OtherMembers

        public init(availableCommands: [AvailableCommand] = [], meta: RawJSON? = nil) {
            self.availableCommands = availableCommands
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A command: `/name input`. Schema: `AvailableCommand`.
    public struct AvailableCommand: Object {
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

    /// Free text that follows a command's name. Schema: `UnstructuredCommandInput`.
    public struct UnstructuredCommandInput: Object {
        /// The placeholder to show while the input is empty.
        public var hint: String
        public var otherMembers: OtherMembers

        public init(hint: String, meta: RawJSON? = nil) {
            self.hint = hint
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The input that can follow a command's name. Schema: `AvailableCommandInput`.
    public enum AvailableCommandInput: Hashable, Codable, Sendable {
        /// Free text.
        case unstructured(UnstructuredCommandInput)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(RawJSON)

        public init(from decoder: any Decoder) throws {
            if try decoder.hasMember("hint") {
                self = .unstructured(try UnstructuredCommandInput(from: decoder))
            } else {
                self = .unknown(try RawJSON(from: decoder))
            }
        }

        public func encode(to encoder: any Encoder) throws {
            switch self {
            case .unstructured(let input): try input.encode(to: encoder)
            case .unknown(let raw): try raw.encode(to: encoder)
            }
        }
    }
}
