import ACPBase
import ACPMethods
import ACPSessions
import JSONCoding

extension ACP.Client {
    /// Asks the user for permission to run a tool. The agent waits for the answer. Schema:
    /// `RequestPermissionRequest`.
    public struct SessionRequestPermissionRequest: ACP.Request {
        public typealias Response = SessionRequestPermissionResponse
        public static let method = ACPMethod.sessionRequestPermission.name

        /// The session in which the tool is called.
        public var sessionId: ACP.SessionId
        /// The tool call that needs permission.
        public var toolCall: ACP.ToolCallUpdate
        /// The answers to choose from.
        public var options: [ACP.PermissionOption]
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, toolCall: ACP.ToolCallUpdate, options: [ACP.PermissionOption],
            meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.toolCall = toolCall
            self.options = options
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The user's answer. Schema: `RequestPermissionResponse`.
    public struct SessionRequestPermissionResponse: ACP.Object {
        /// The chosen option, or `cancelled` if the turn was cancelled.
        public var outcome: ACP.RequestPermissionOutcome
        public var otherMembers: OtherMembers

        public init(outcome: ACP.RequestPermissionOutcome, meta: RawJSON? = nil) {
            self.outcome = outcome
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// Identifies one of the answers to a permission request. Schema: `PermissionOptionId`.
    public struct PermissionOptionId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// One of the answers to a permission request. Schema: `PermissionOption`.
    public struct PermissionOption: Object {
        /// The id to send in the answer.
        public var optionId: PermissionOptionId
        /// The name to show to the user.
        public var name: String
        /// The meaning of the answer, which decides its icon and is used in rules.
        public var kind: PermissionOptionKind
        public var otherMembers: OtherMembers

        public init(optionId: PermissionOptionId, name: String, kind: PermissionOptionKind, meta: RawJSON? = nil) {
            self.optionId = optionId
            self.name = name
            self.kind = kind
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The meaning of an answer. Schema: `PermissionOptionKind`.
    public struct PermissionOptionKind: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Allow this time.
        public static let allowOnce = Self(rawValue: "allow_once")
        /// Allow, and do not ask again.
        public static let allowAlways = Self(rawValue: "allow_always")
        /// Reject this time.
        public static let rejectOnce = Self(rawValue: "reject_once")
        /// Reject, and do not ask again.
        public static let rejectAlways = Self(rawValue: "reject_always")

        public static let allCases = [allowOnce, allowAlways, rejectOnce, rejectAlways]
    }

    /// The user's answer to a permission request. Schema: `RequestPermissionOutcome`.
    public enum RequestPermissionOutcome: TaggedUnion {
        /// The user chose one of the options. It can be a rejection.
        case selected(SelectedPermissionOutcome)
        /// The turn was cancelled before the user answered. This is not a rejection. Other members of this outcome
        /// are not kept.
        case cancelled
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "outcome"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "selected": self = .selected(try SelectedPermissionOutcome(from: decoder))
            case "cancelled": self = .cancelled
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .selected(let value): Variant("selected", value)
            case .cancelled: Variant("cancelled", OtherMembers())
            case .unknown(let value): Variant(value)
            }
        }
    }

    /// The user chose an option. It can be a rejection. Schema: `SelectedPermissionOutcome`.
    public struct SelectedPermissionOutcome: Object {
        /// The id of the chosen option.
        public var optionId: PermissionOptionId
        public var otherMembers: OtherMembers

        public init(optionId: PermissionOptionId, meta: RawJSON? = nil) {
            self.optionId = optionId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP.PermissionOption: Identifiable {
    public var id: ACP.PermissionOptionId { optionId }
}
