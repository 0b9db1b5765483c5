/// Why a text is not JSON, and where.
///
/// Carries no byte of the text, so it may be logged.
public struct JSONSyntaxError: Error, Hashable, Sendable {
    /// The rule that is broken; the raw value says it in words.
    public enum Reason: String, Hashable, Sendable {
        /// The text ends inside a value, or holds none.
        case unexpectedEnd = "the text ends too early"
        /// A byte that the grammar does not allow here; also anything after the value.
        case unexpectedByte = "unexpected byte"
        /// A byte below 0x20 inside a string; RFC 8259 section 7 wants it escaped.
        case controlByte = "unescaped control byte in a string"
        /// A backslash that is followed by none of RFC 8259 section 7's escapes.
        case invalidEscape = "invalid escape in a string"
        /// Bytes that are not well-formed UTF-8 (RFC 3629).
        case invalidUTF8 = "malformed UTF-8"
        /// More than 512 arrays and objects inside each other.
        case tooDeep = "nested deeper than 512 levels"
        /// 4 GiB or more, where places are kept as half words (`JSONOutline`).
        case tooLong = "4 GiB or longer"
    }

    public let reason: Reason

    /// The offset in bytes at which the scan stopped.
    public let offset: Int

    public init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    public var description: String { "invalid JSON at byte \(offset): \(reason.rawValue)" }
}
