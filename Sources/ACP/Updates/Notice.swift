import JSONCoding

extension ACP {
    /// Unstable. A message to the user. It is shown when it arrives and is not replayed; the user possibly never
    /// sees it. Schema: `Notice`.
    public struct Notice: Object {
        /// The severity, which decides how to show the notice.
        public var severity: NoticeSeverity
        /// Plain text that is understandable without the description.
        public var title: String
        /// Details, in plain text.
        @Lenient public var description: String?
        public var otherMembers: OtherMembers

        public init(severity: NoticeSeverity, title: String, description: String? = nil, meta: RawJSON? = nil) {
            self.severity = severity
            self.title = title
            self.description = description
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. The severity of a notice. Names that begin with `_` are free for extensions. Schema:
    /// `NoticeSeverity`.
    public struct NoticeSeverity: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Information that needs no action.
        public static let info = Self(rawValue: "info")
        /// Something that possibly needs action.
        public static let warning = Self(rawValue: "warning")
        /// An error.
        public static let error = Self(rawValue: "error")

        public static let allCases = [info, warning, error]
    }
}
