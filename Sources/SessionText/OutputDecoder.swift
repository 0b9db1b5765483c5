/// Converts a terminal's output, which arrives in pieces, to text without escape sequences. Pure.
///
/// A piece can end inside a character or inside an escape sequence; the next piece then continues it. At most three
/// bytes wait for the rest of their character. A sequence is dropped byte by byte, so its length does not matter.
/// Source: ECMA-48, section 5.4 (control sequences) and 5.6 (control strings).
struct OutputDecoder: Sendable {
    private enum State {
        case text
        /// After ESC.
        case escape
        /// After ESC and an intermediate byte.
        case intermediate
        /// After `ESC [`, until a byte from 0x40 to 0x7e.
        case control
        /// After `ESC ]` and similar, until BEL or `ESC \`.
        case string, stringEscape
        /// After a carriage return, which is dropped before a line feed and is a line feed otherwise.
        case carriageReturn
    }

    private var state = State.text
    /// The beginning of a character in UTF-8.
    private var pending: [UInt8] = []

    /// Returns the text of the next piece. Bytes that are not UTF-8 become U+FFFD.
    mutating func text(of piece: some Sequence<UInt8>) -> String {
        var bytes = pending
        for byte in piece { decode(byte, into: &bytes) }
        let whole = bytes.count - Self.unfinishedCount(bytes)
        pending = Array(bytes[whole...])
        return String(decoding: bytes[..<whole], as: UTF8.self)
    }

    private mutating func decode(_ byte: UInt8, into text: inout [UInt8]) {
        switch state {
        case .text: decodeText(byte, into: &text)
        case .carriageReturn:
            guard byte != 0x0d else { return }
            state = .text
            text.append(0x0a)
            if byte != 0x0a { decodeText(byte, into: &text) }
        case .escape: state = Self.state(afterEscapeAnd: byte)
        case .intermediate: state = (0x20...0x2f).contains(byte) ? .intermediate : .text
        case .control: state = byte == 0x1b ? .escape : (0x40...0x7e).contains(byte) ? .text : .control
        // A line feed ends a string that was cut off.
        case .string where byte == 0x0a:
            state = .text
            text.append(byte)
        case .string: state = byte == 0x07 ? .text : byte == 0x1b ? .stringEscape : .string
        case .stringEscape: state = byte == UInt8(ascii: "\\") || byte == 0x07 ? .text : .string
        }
    }

    private mutating func decodeText(_ byte: UInt8, into text: inout [UInt8]) {
        switch byte {
        case 0x1b: state = .escape
        case 0x0d: state = .carriageReturn
        default: text.append(byte)
        }
    }

    private static func state(afterEscapeAnd byte: UInt8) -> State {
        switch byte {
        case UInt8(ascii: "["): .control
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"): .string
        case 0x20...0x2f: .intermediate
        case 0x1b: .escape
        default: .text
        }
    }

    /// The number of bytes at the end that begin a character and lack its rest.
    private static func unfinishedCount(_ bytes: [UInt8]) -> Int {
        for count in 1...3 where count <= bytes.count {
            let byte = bytes[bytes.count - count]
            guard byte & 0xc0 != 0x80 else { continue }
            let length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
            return length > count ? count : 0
        }
        return 0
    }
}
