/// JSON with comments and trailing commas (JSONC), as editors' settings files have it.
package enum CommentedJSON {
    /// Returns the text as plain JSON of the same length. A space replaces each byte of a comment, each comma before a
    /// closing bracket, and a byte order mark, so that the offset of every other byte stays the same.
    ///
    /// A text with another error is returned with this error, for the JSON parser to report: an unterminated comment,
    /// or a comma that follows no value.
    package static func plain(_ text: [UInt8]) -> [UInt8] {
        var stripper = Stripper(bytes: text)
        stripper.run()
        return stripper.bytes
    }

    /// The line of a byte, counted from 1. Lines end with LF.
    package static func line(of offset: Int, in text: [UInt8]) -> Int {
        1 + text.prefix(max(0, offset)).count { $0 == 0x0A }
    }
}

private struct Stripper {
    var bytes: [UInt8]
    private var index = 0
    /// The last byte that is neither space nor comment, and the one before it; 0 before the first.
    private var last: UInt8 = 0
    private var beforeLast: UInt8 = 0
    private var lastIndex = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func run() {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { blank(0..<3) }
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): skipString()
            case UInt8(ascii: "/") where next == UInt8(ascii: "/"): blankLine()
            case UInt8(ascii: "/") where next == UInt8(ascii: "*"): blankBlock()
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: note()
            }
        }
    }

    private var next: UInt8? { index + 1 < bytes.count ? bytes[index + 1] : nil }

    /// Notes a byte outside strings. A comma before a closing bracket becomes a space if a value precedes it.
    private mutating func note() {
        let byte = bytes[index]
        let closes = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
        if closes, last == UInt8(ascii: ","), !"[{,:\0".utf8.contains(beforeLast) { bytes[lastIndex] = 0x20 }
        beforeLast = last
        last = byte
        lastIndex = index
        index += 1
    }

    private mutating func skipString() {
        note()
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index, bytes.count)
        if index < bytes.count { note() }
    }

    private mutating func blankLine() {
        let end = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
        blank(index..<end)
        index = end
    }

    private mutating func blankBlock() {
        var end = index + 2
        while end + 1 < bytes.count, bytes[end] != UInt8(ascii: "*") || bytes[end + 1] != UInt8(ascii: "/") { end += 1 }
        guard end + 1 < bytes.count else { return note() }
        blank(index..<end + 2)
        index = end + 2
    }

    /// Keeps line feeds, so that lines can still be counted.
    private mutating func blank(_ range: Range<Int>) {
        for index in range where bytes[index] != 0x0A { bytes[index] = 0x20 }
    }
}
