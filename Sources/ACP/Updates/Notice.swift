import JSONCoding

extension ACP {
    /// Unstable. A word to the user: shown when it comes, not replayed, and perhaps never seen. Schema: `Notice`.
    public struct Notice: Object {
        /// How to show it.
        public var severity: NoticeSeverity
        /// Plain text, enough by itself.
        public var title: String
        /// More, in plain text.
        @Lenient public var description: String?
        public var otherMembers: OtherMembers

        public init(severity: NoticeSeverity, title: String, description: String? = nil, meta: RawJSON? = nil) {
            self.severity = severity
            self.title = title
            self.description = description
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. How a notice is to be shown. Names that begin with `_` are anyone's. Schema: `NoticeSeverity`.
    public struct NoticeSeverity: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Good to know.
        public static let info = Self(rawValue: "info")
        /// Perhaps something to act on.
        public static let warning = Self(rawValue: "warning")
        /// Something is wrong.
        public static let error = Self(rawValue: "error")

        public static let allCases = [info, warning, error]
    }
}
