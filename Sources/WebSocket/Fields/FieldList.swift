/// Comma-separated header values. Source: RFC 9110, sections 5.6.1 and 5.6.2.
enum FieldList {
    /// The elements of a list, which can be spread over several fields. Empty elements are left out.
    static func elements(of values: [String]) -> [String] {
        values.flatMap { value in
            value.utf8.split(separator: UInt8(ascii: ",")).map { trimmed($0) }.filter { !$0.isEmpty }
        }
    }

    /// True when the list contains this token in any case.
    static func contains(_ token: String, in values: [String]) -> Bool {
        elements(of: values).contains { equalsIgnoringCase($0, token) }
    }

    /// Compares ASCII case-insensitively. With Unicode's case mapping, the Kelvin sign would match `k`.
    static func equalsIgnoringCase(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8) { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> String {
        var bytes = bytes
        while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return String(Substring(bytes))
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}
