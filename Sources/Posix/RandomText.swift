import CShims

/// Text that cannot be guessed.
package enum RandomText {
    /// Returns two lower-case hexadecimal digits per byte, or nil if the system cannot supply random bytes.
    package static func hexadecimal(byteCount: Int) -> String? {
        bytes(byteCount).map { Hexadecimal.text(of: $0) }
    }

    /// Returns random bytes, or nil if the system cannot supply them.
    package static func bytes(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return cshims_random(&bytes, bytes.count) == 0 ? bytes : nil
    }

    /// Returns a random UUID (RFC 9562 section 5.4) in lower case, or nil if the system cannot supply random bytes.
    package static func uuid() -> String? {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard cshims_random(&bytes, bytes.count) == 0 else { return nil }
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        let digits = Array(Hexadecimal.text(of: bytes))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}
