import JSONScan

/// Writes public keys as PEM: `SubjectPublicKeyInfo` in DER. Pure. Source: RFC 5280, section 4.1; RFC 7468, section 13.
enum PublicKeyText {
    /// RFC 7518, section 3.3: an RSA key has at least 2048 bits.
    private static let shortestModulusBytes = 256
    /// 8192 bits. The check of a signature with a longer key would take milliseconds.
    private static let longestModulusBytes = 1024
    /// Longer exponents make checks slow. The usual one, 65,537, has 3 bytes.
    private static let longestExponentBytes = 4

    /// Returns nil if the key is too short or too long, or the exponent cannot be one.
    ///
    /// - Parameters:
    ///   - modulus: big-endian, as `n` of a JSON Web Key.
    ///   - exponent: big-endian, as `e`.
    static func rsa(modulus: [UInt8], exponent: [UInt8]) -> [UInt8]? {
        let (n, e) = (modulus.drop { $0 == 0 }, exponent.drop { $0 == 0 })
        guard let first = n.first, (shortestModulusBytes...longestModulusBytes).contains(n.count),
            n.count > shortestModulusBytes || first >= 0x80, (n.last ?? 0) & 1 == 1,
            (1...longestExponentBytes).contains(e.count), (e.last ?? 0) & 1 == 1, e != [1]
        else { return nil }
        let key = element(0x30, integer(n) + integer(e))
        // rsaEncryption with its parameter NULL. Source: RFC 3279, section 2.3.1.
        let kind = element(0x30, [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1, 0x05, 0])
        return pem(element(0x30, kind + element(0x03, [0] + key)))
    }

    /// Returns nil if a coordinate does not have 32 bytes. OpenSSL checks that the point is on the curve.
    ///
    /// - Parameters:
    ///   - x: big-endian, as `x` of a JSON Web Key.
    ///   - y: likewise.
    static func p256(x: [UInt8], y: [UInt8]) -> [UInt8]? {
        guard x.count == 32, y.count == 32 else { return nil }
        // id-ecPublicKey and secp256r1. Source: RFC 5480, section 2.1.1.
        let kind = element(
            0x30, [0x06, 7, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1, 0x06, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7])
        return pem(element(0x30, kind + element(0x03, [0, 4] + x + y)))
    }

    /// Returns nil if the key does not have 32 bytes.
    static func ed25519(_ key: [UInt8]) -> [UInt8]? {
        guard key.count == 32 else { return nil }
        // id-Ed25519, without parameters. Source: RFC 8410, sections 3 and 4.
        let kind = element(0x30, [0x06, 3, 0x2B, 0x65, 0x70])
        return pem(element(0x30, kind + element(0x03, [0] + key)))
    }

    /// - Parameter magnitude: big-endian, without leading zeros.
    private static func integer(_ magnitude: ArraySlice<UInt8>) -> [UInt8] {
        let sign: [UInt8] = (magnitude.first ?? 0) >= 0x80 ? [0] : []
        return element(0x02, sign + magnitude)
    }

    /// A tag, the length and the contents. Source: X.690, section 8.1.
    private static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let count = contents.count
        let length: [UInt8] =
            switch count {
            case ..<0x80: [UInt8(count)]
            case ..<0x100: [0x81, UInt8(count)]
            default: [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
            }
        return [tag] + length + contents
    }

    private static func pem(_ der: [UInt8]) -> [UInt8] {
        var symbols: [UInt8] = []
        Base64Text.encode(der, to: &symbols)
        var text = Array("-----BEGIN PUBLIC KEY-----\n".utf8)
        for start in stride(from: 0, to: symbols.count, by: 64) {
            text += symbols[start..<min(start + 64, symbols.count)]
            text.append(0x0A)
        }
        return text + Array("-----END PUBLIC KEY-----\n".utf8)
    }
}
