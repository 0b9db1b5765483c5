import JSONCoding

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
}
