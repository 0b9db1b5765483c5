/// A value that `JSONWriter` can write directly: a string, a boolean, a number, or a JSON value that was read.
public protocol JSONScalar {
    /// Appends this value's JSON text.
    func append(to text: inout [UInt8])
}

extension Bool: JSONScalar {
    public func append(to text: inout [UInt8]) {
        text.append(contentsOf: (self ? "true" : "false").utf8)
    }
}

extension JSONScalar where Self: FixedWidthInteger {
    public func append(to text: inout [UInt8]) {
        text.append(contentsOf: String(self).utf8)
    }
}

extension Int: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}

/// Writes the shortest text that reads back as the same double. JSON has no infinities and no NaN: they become `null`,
/// as in JavaScript.
extension Double: JSONScalar {
    public func append(to text: inout [UInt8]) {
        text.append(contentsOf: (isFinite ? description : "null").utf8)
    }
}

extension JSONValue: JSONScalar {
    public func append(to text: inout [UInt8]) {
        text.append(contentsOf: rawText)
    }
}

extension String: JSONScalar {}
extension Substring: JSONScalar {}

extension JSONScalar where Self: StringProtocol {
    public func append(to text: inout [UInt8]) {
        text.append(.quote)
        for byte in utf8 { appendEscaped(byte, to: &text) }
        text.append(.quote)
    }
}

/// Appends one byte of a string, escaped if RFC 8259 section 7 requires it.
@inline(__always)
func appendEscaped(_ byte: UInt8, to text: inout [UInt8]) {
    if byte >= .space, byte != .quote, byte != .backslash {
        text.append(byte)
    } else {
        appendEscape(for: byte, to: &text)
    }
}

private func appendEscape(for byte: UInt8, to text: inout [UInt8]) {
    text.append(.backslash)
    switch byte {
    case 0x08: text.append(UInt8(ascii: "b"))
    case 0x09: text.append(UInt8(ascii: "t"))
    case 0x0a: text.append(UInt8(ascii: "n"))
    case 0x0c: text.append(UInt8(ascii: "f"))
    case 0x0d: text.append(UInt8(ascii: "r"))
    case .quote, .backslash: text.append(byte)
    default: appendHexEscape(UInt16(byte), to: &text)
    }
}

/// Appends `uXXXX`, in lower case as JavaScript writes it. The caller has already written the backslash.
func appendHexEscape(_ unit: UInt16, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "u"))
    for shift: UInt16 in [12, 8, 4, 0] {
        let digit = UInt8(truncatingIfNeeded: unit >> shift & 0xf)
        text.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
}
