/// Base64 with padding. Source: RFC 4648, section 4.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    static func encode(_ bytes: [UInt8]) -> String {
        var encoded: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let missing = 3 - group.count
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * missing)
            for position in 0..<4 - missing {
                encoded.append(alphabet[Int(bits >> UInt32(18 - 6 * position) & 0x3F)])
            }
            encoded.append(contentsOf: repeatElement(padding, count: missing))
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// True when `text` is the base64 form of exactly `count` bytes. Unused bits after the last byte are not checked.
    static func isEncoding(_ text: String, ofByteCount count: Int) -> Bool {
        let symbols = Array(text.utf8)
        let paddingCount = (3 - count % 3) % 3
        guard symbols.count == (count + 2) / 3 * 4 else { return false }
        return symbols.dropLast(paddingCount).allSatisfy(alphabet.contains)
            && symbols.suffix(paddingCount).allSatisfy { $0 == padding }
    }
}
