import ACPBase
import ACPMethods
import JSONCoding

extension ACP.Agent {
    /// Logs in with one of the agent's own methods, not with one of type `terminal`. Schema: `AuthenticateRequest`.
    public struct AuthenticateRequest: ACP.Request {
        public typealias Response = AuthenticateResponse
        public static let method = ACPMethod.authenticate.name

        /// The `id` of one of the methods in the response to `initialize`.
        public var methodId: ACP.AuthMethodId
        public var otherMembers: OtherMembers

        public init(methodId: ACP.AuthMethodId, meta: RawJSON? = nil) {
            self.methodId = methodId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The login succeeded. Schema: `AuthenticateResponse`.
    public struct AuthenticateResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Logs out. The protocol does not define what happens to open sessions. Schema: `LogoutRequest`.
    public struct LogoutRequest: ACP.Request, DecodableFromNull {
        public typealias Response = LogoutResponse
        public static let method = ACPMethod.logout.name

        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The logout succeeded. Schema: `LogoutResponse`.
    public struct LogoutResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

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

    /// A login that the agent performs by itself; `authenticate` starts it. Schema: `AuthMethodAgent`.
    public struct AuthMethodAgent: Object {
        /// The id for `authenticate`.
        public var id: AuthMethodId
        /// The name to show to the user.
        public var name: String
        /// A longer description to show to the user.
        @Lenient public var description: String?
        public var otherMembers: OtherMembers

        public init(id: AuthMethodId, name: String, description: String? = nil, meta: RawJSON? = nil) {
            self.id = id
            self.name = name
            self.description = description
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A login in a terminal. The client runs the command that starts the agent, with these arguments appended and
    /// these variables set. Exit status 0 means success; the client then reconnects. `authenticate` is not sent.
    /// Schema: `AuthMethodTerminal`.
    public struct AuthMethodTerminal: Object {
        /// The id, which is unique among the agent's login methods.
        public var id: AuthMethodId
        /// The name to show to the user.
        public var name: String
        /// A longer description to show to the user.
        @Lenient public var description: String?
        /// Arguments to append to the agent's own arguments.
        @Lenient public var args: [String]
        /// Variables that override the agent's environment. This is an object, not a list as in `EnvVariable`.
        @Lenient public var env: [String: String]
        public var otherMembers: OtherMembers

        public init(
            id: AuthMethodId, name: String, description: String? = nil, args: [String] = [],
            env: [String: String] = [:], meta: RawJSON? = nil
        ) {
            self.id = id
            self.name = name
            self.description = description
            self.args = args
            self.env = env
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
