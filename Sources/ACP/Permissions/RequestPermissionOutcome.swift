import JSONCoding

extension ACP {
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
