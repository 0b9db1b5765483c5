import ACPBase
import ACPConnection
import ACPMethods
import ACPSessions
import JSONCoding

extension ACP.V2.Agent {
    /// Logs in with one of the agent's own methods, not with one of type `terminal`. Schema: `LoginAuthRequest`.
    public struct AuthLoginRequest: ACP.Request {
        public typealias Response = AuthLoginResponse
        public static let method = ACPMethod.authLogin.name

        /// The `methodId` of one of the methods in the response to `initialize`.
        public var methodId: ACP.AuthMethodId
        public var otherMembers: OtherMembers

        public init(methodId: ACP.AuthMethodId, meta: RawJSON? = nil) {
            self.methodId = methodId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The login succeeded. Schema: `LoginAuthResponse`.
    public struct AuthLoginResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Logs out. Schema: `LogoutAuthRequest`.
    public struct AuthLogoutRequest: ACP.Request, DecodableFromNull {
        public typealias Response = AuthLogoutResponse
        public static let method = ACPMethod.authLogout.name

        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The logout succeeded. Schema: `LogoutAuthResponse`.
    public struct AuthLogoutResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP.V2 {
    /// A login method. Schema: `AuthMethod`.
    public enum AuthMethod: TaggedUnion {
        /// The agent performs the whole login when it receives `auth/login`.
        case agent(AuthMethodAgent)
        /// The client runs the agent's command in a terminal, and then reconnects.
        case terminal(AuthMethodTerminal)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "type"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "agent": self = .agent(try AuthMethodAgent(from: decoder))
            case "terminal": self = .terminal(try AuthMethodTerminal(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .agent(let value): Variant("agent", value)
            case .terminal(let value): Variant("terminal", value)
            case .unknown(let value): Variant(value)
            }
        }
    }

    /// A login that the agent performs by itself; `auth/login` starts it. Schema: `AuthMethodAgent`.
    public struct AuthMethodAgent: ACP.Object {
        /// The id for `auth/login`.
        public var methodId: ACP.AuthMethodId
        /// The name to show to the user.
        public var name: String
        /// A longer description to show to the user.
        @Lenient public var description: String?
        public var otherMembers: OtherMembers

        public init(methodId: ACP.AuthMethodId, name: String, description: String? = nil, meta: RawJSON? = nil) {
            self.methodId = methodId
            self.name = name
            self.description = description
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A login in a terminal. The client runs the command that starts the agent, with these arguments appended and
    /// these variables set. Only for clients with the capability `auth.terminal`. Schema: `AuthMethodTerminal`.
    public struct AuthMethodTerminal: ACP.Object {
        /// The id, which is unique among the agent's login methods.
        public var methodId: ACP.AuthMethodId
        /// The name to show to the user.
        public var name: String
        /// A longer description to show to the user.
        @Lenient public var description: String?
        /// Arguments to append to the agent's own arguments.
        @Lenient public var args: [String]
        /// Variables that override the agent's environment. This is a list; version 1 has an object.
        @Lenient public var env: [ACP.EnvVariable]
        public var otherMembers: OtherMembers

        public init(
            methodId: ACP.AuthMethodId, name: String, description: String? = nil, args: [String] = [],
            env: [ACP.EnvVariable] = [], meta: RawJSON? = nil
        ) {
            self.methodId = methodId
            self.name = name
            self.description = description
            self.args = args
            self.env = env
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
