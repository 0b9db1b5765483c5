import JSONCoding

extension ACP {
    /// The user's answer to a permission request. Schema: `RequestPermissionOutcome`.
    public enum RequestPermissionOutcome: TaggedUnion {
        /// One of the options; a "no" too.
        case selected(SelectedPermissionOutcome)
        /// The turn was cancelled before the user answered. Not a "no". What else stands in it is not kept.
        case cancelled
        /// A kind that is not known here, as it is spelt.
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

    /// An answer was chosen; a "no" too. Schema: `SelectedPermissionOutcome`.
    public struct SelectedPermissionOutcome: Object {
        /// Which one.
        public var optionId: PermissionOptionId
        public var otherMembers: OtherMembers

        public init(optionId: PermissionOptionId, meta: RawJSON? = nil) {
            self.optionId = optionId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
