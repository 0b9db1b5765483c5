/// The character classes of HTTP's grammar, for bytes.
enum ASCII {
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    /// True for control characters except the tab, which is allowed in a header value.
    static func isForbiddenControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 || byte == 0x7F
    }

    static func isVisible(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        let letter = byte | 0x20
        return isDigit(byte) || letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "f")
    }

    static func isBlank(_ byte: UInt8) -> Bool {
        byte == space || byte == 0x09
    }

    /// A character of a host and port. The exact form of addresses is checked by the code that compares them. Source:
    /// RFC 3986, section 3.2.2.
    static func isHostByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "-._~!$&'()*+;=%:[]".utf8.contains(byte)
    }

    static func trimmingBlanks(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }

    /// Compares ASCII case-insensitively. With Unicode's case mapping, the Kelvin sign would match `k`.
    static func equalsIgnoringCase(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8) { lowercased($0) == lowercased($1) }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        let letter = byte | 0x20
        return isDigit(byte) || letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
