/// The bytes that are named in the grammar of RFC 8259.
extension UInt8 {
    static var quote: UInt8 { 0x22 }
    static var backslash: UInt8 { 0x5c }
    static var comma: UInt8 { 0x2c }
    static var colon: UInt8 { 0x3a }
    static var openBrace: UInt8 { 0x7b }
    static var closeBrace: UInt8 { 0x7d }
    static var openBracket: UInt8 { 0x5b }
    static var closeBracket: UInt8 { 0x5d }
    static var space: UInt8 { 0x20 }

    /// True for the four white-space bytes that are allowed between tokens (RFC 8259 section 2).
    @inline(__always)
    var isJSONWhiteSpace: Bool { self == 0x20 || self == 0x0a || self == 0x0d || self == 0x09 }

    @inline(__always)
    var isASCIIDigit: Bool { self &- 0x30 < 10 }

    /// The value of a hexadecimal digit, upper or lower case, or `nil` for any other byte.
    @inline(__always)
    var hexDigitValue: UInt32? {
        if isASCIIDigit { return UInt32(self &- 0x30) }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? UInt32(letter) + 10 : nil
    }
}
