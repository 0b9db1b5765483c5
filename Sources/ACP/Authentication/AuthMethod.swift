import JSONCoding

extension ACP {
    /// Names one of an agent's ways to log in. Schema: `AuthMethodId`.
    public struct AuthMethodId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A way to log in. Without a `type` it is the agent's own. Schema: `AuthMethod`.
    public enum AuthMethod: TaggedUnion {
        /// The agent does it all when it gets `authenticate`.
        case agent(AuthMethodAgent)
        /// The client runs the agent's command in a terminal, and connects anew.
        case terminal(AuthMethodTerminal)
        /// A kind that is not known here, as it is spelt.
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
