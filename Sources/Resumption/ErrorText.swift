/// The message that carries an agent's standard error to a client that asks for it:
/// `{"jsonrpc":"2.0","method":"_acpbridge/stderr","params":{"hex":"6869"}}`. The text need not be UTF-8, so its bytes are
/// hexadecimal.
package enum ErrorText {
    /// The header field with which a client asks for the messages. Its value is `1`.
    package static let fieldName = "Acpbridge-Stderr"

    private static let start = Array(#"{"jsonrpc":"2.0","method":"_acpbridge/stderr","params":{"hex":""#.utf8)
    private static let end = Array(#""}}"#.utf8)
    private static let digits = Array("0123456789abcdef".utf8)

    package static func message(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        var message = start
        message.reserveCapacity(start.count + 2 * text.count + end.count)
        for byte in text {
            message.append(digits[Int(byte >> 4)])
            message.append(digits[Int(byte & 0xf)])
        }
        return message + end
    }

    /// Returns the text of a message. Nil for any other message.
    package static func text(of message: ArraySlice<UInt8>) -> [UInt8]? {
        guard message.starts(with: start), message.suffix(end.count).elementsEqual(end) else { return nil }
        let hex = Array(message.dropFirst(start.count).dropLast(end.count))
        guard hex.count.isMultiple(of: 2) else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(hex.count / 2)
        for index in stride(from: 0, to: hex.count, by: 2) {
            guard let high = value(hex[index]), let low = value(hex[index + 1]) else { return nil }
            text.append(high << 4 | low)
        }
        return text
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
