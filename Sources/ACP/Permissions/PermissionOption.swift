import JSONCoding

extension ACP {
    /// Names one of the answers to a permission request. Schema: `PermissionOptionId`.
    public struct PermissionOptionId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// One of the answers to a permission request. Schema: `PermissionOption`.
    public struct PermissionOption: Object {
        /// For the answer.
        public var optionId: PermissionOptionId
        /// For the user.
        public var name: String
        /// What it means, for its icon and for rules.
        public var kind: PermissionOptionKind
        public var otherMembers: OtherMembers

        public init(optionId: PermissionOptionId, name: String, kind: PermissionOptionKind, meta: RawJSON? = nil) {
            self.optionId = optionId
            self.name = name
            self.kind = kind
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// What an answer means. Schema: `PermissionOptionKind`.
    public struct PermissionOptionKind: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Yes.
        public static let allowOnce = Self(rawValue: "allow_once")
        /// Yes, and do not ask again.
        public static let allowAlways = Self(rawValue: "allow_always")
        /// No.
        public static let rejectOnce = Self(rawValue: "reject_once")
        /// No, and do not ask again.
        public static let rejectAlways = Self(rawValue: "reject_always")

        public static let allCases = [allowOnce, allowAlways, rejectOnce, rejectAlways]
    }
}
