import ACPBase
import JSONCoding

extension ACP {
    /// Unstable. A position in a document. Schema: `Position`.
    public struct Position: Object {
        /// The line, from 0.
        public var line: UInt32
        /// The character in the line, from 0, in units of the agreed `PositionEncodingKind`.
        public var character: UInt32
        public var otherMembers: OtherMembers

        public init(line: UInt32, character: UInt32, meta: RawJSON? = nil) {
            self.line = line
            self.character = character
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. A range in a document. Schema: `Range`.
    public struct Range: Object {
        /// The first position in the range.
        public var start: Position
        /// The position after the last one in the range.
        public var end: Position
        public var otherMembers: OtherMembers

        public init(start: Position, end: Position, meta: RawJSON? = nil) {
            self.start = start
            self.end = end
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. The unit in which characters of a line are counted. Schema: `PositionEncodingKind`.
    public struct PositionEncodingKind: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// UTF-16 code units. The default, as in the Language Server Protocol.
        public static let utf16 = Self(rawValue: "utf-16")
        /// Unicode scalars.
        public static let utf32 = Self(rawValue: "utf-32")
        /// Bytes of UTF-8.
        public static let utf8 = Self(rawValue: "utf-8")

        public static let allCases = [utf16, utf32, utf8]
    }

    /// Unstable. How changes of a document are reported. Schema: `TextDocumentSyncKind`.
    public struct TextDocumentSyncKind: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Each change carries the whole document.
        public static let full = Self(rawValue: "full")
        /// Each change carries only the changed parts.
        public static let incremental = Self(rawValue: "incremental")

        public static let allCases = [full, incremental]
    }
}
