import JSONCoding

extension ACP.Agent {
    /// Ends the login. What becomes of sessions is not defined. Schema: `LogoutRequest`.
    public struct LogoutRequest: ACP.Request, DecodableFromNull {
        public typealias Response = LogoutResponse
        public static let method = "logout"

        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The login has ended. Schema: `LogoutResponse`.
    public struct LogoutResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
