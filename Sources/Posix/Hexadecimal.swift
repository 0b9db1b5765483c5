/// Bytes as text: two lower-case digits each.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    package static func text(of bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns nil if the text does not consist of pairs of digits.
    package static func bytes(_ text: String) -> [UInt8]? {
        let symbols = Array(text.utf8)
        guard symbols.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: symbols.count, by: 2) {
            guard let high = value(symbols[start]), let low = value(symbols[start + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        Character(Unicode.Scalar(digit)).hexDigitValue.map(UInt8.init)
    }
}
