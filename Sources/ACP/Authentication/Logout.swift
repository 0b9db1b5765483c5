import JSONCoding

extension ACP.Agent {
    /// Logs out. The protocol does not define what happens to open sessions. Schema: `LogoutRequest`.
    public struct LogoutRequest: ACP.Request, DecodableFromNull {
        public typealias Response = LogoutResponse
        public static let method = "logout"

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
