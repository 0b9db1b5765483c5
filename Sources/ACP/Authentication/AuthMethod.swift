import JSONCoding

extension ACP {
    /// Identifies one of an agent's login methods. Schema: `AuthMethodId`.
    public struct AuthMethodId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A login method. A method without a `type` is handled by the agent. Schema: `AuthMethod`.
    public enum AuthMethod: TaggedUnion {
        /// The agent performs the whole login when it receives `authenticate`.
        case agent(AuthMethodAgent)
        /// The client runs the agent's command in a terminal, and then reconnects.
        case terminal(AuthMethodTerminal)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "type"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case nil: self = .agent(try AuthMethodAgent(from: decoder))
            case "terminal": self = .terminal(try AuthMethodTerminal(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .agent(let value): Variant(nil, value)
            case .terminal(let value): Variant("terminal", value)
            case .unknown(let value): Variant(value)
            }
        }
    }
}
