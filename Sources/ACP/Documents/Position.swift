import JSONCoding

extension ACP {
    /// Unstable. A place in a document. Schema: `Position`.
    public struct Position: Object {
        /// From 0.
        public var line: UInt32
        /// From 0, counted as was agreed on.
        public var character: UInt32
        public var otherMembers: OtherMembers

        public init(line: UInt32, character: UInt32, meta: RawJSON? = nil) {
            self.line = line
            self.character = character
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. A part of a document. Schema: `Range`.
    public struct Range: Object {
        /// Its first place.
        public var start: Position
        /// The place behind its last.
        public var end: Position
        public var otherMembers: OtherMembers

        public init(start: Position, end: Position, meta: RawJSON? = nil) {
            self.start = start
            self.end = end
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. How characters of a line are counted. Schema: `PositionEncodingKind`.
    public struct PositionEncodingKind: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// In UTF-16 units; the default, as in the Language Server Protocol.
        public static let utf16 = Self(rawValue: "utf-16")
        /// In Unicode scalars.
        public static let utf32 = Self(rawValue: "utf-32")
        /// In bytes.
        public static let utf8 = Self(rawValue: "utf-8")

        public static let allCases = [utf16, utf32, utf8]
    }

    /// Unstable. How changes of a document are told. Schema: `TextDocumentSyncKind`.
    public struct TextDocumentSyncKind: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Each time all of it.
        public static let full = Self(rawValue: "full")
        /// What changed.
        public static let incremental = Self(rawValue: "incremental")

        public static let allCases = [full, incremental]
    }
}
