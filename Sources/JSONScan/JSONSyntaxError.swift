/// The reason why a text is not JSON, and the place of the error.
///
/// The error contains no byte of the text, so it can be logged.
public struct JSONSyntaxError: Error, Hashable, Sendable {
    /// The rule that was broken. The raw value is its description.
    public enum Reason: String, Hashable, Sendable {
        /// The text is empty or ends inside a value.
        case unexpectedEnd = "the text ends too early"
        /// A byte that the grammar does not allow here, or any byte after the value.
        case unexpectedByte = "unexpected byte"
        /// A byte below 0x20 inside a string. RFC 8259 section 7 requires an escape.
        case controlByte = "unescaped control byte in a string"
        /// A backslash that does not begin one of the escapes of RFC 8259 section 7.
        case invalidEscape = "invalid escape in a string"
        /// Bytes that are not well-formed UTF-8 (RFC 3629).
        case invalidUTF8 = "malformed UTF-8"
        /// More than 512 nested arrays and objects.
        case tooDeep = "nested deeper than 512 levels"
        /// 4 GiB or more. `JSONOutline` stores offsets in 32 bits.
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
