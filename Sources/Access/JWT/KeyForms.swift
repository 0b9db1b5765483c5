import JSONScan
import TextSearch

/// Recognises keys in other forms than PEM. Pure.
///
/// A file that is not PEM is a secret for HS256. A public key in it would be a secret that everybody knows: whoever has the
/// key could sign tokens.
enum KeyForms {
    /// Returns true for a JSON Web Key or a set of them, a key of OpenSSH, a key or certificate in DER, also in Base64, and
    /// PEM in UTF-16.
    static func includes(_ bytes: [UInt8]) -> Bool {
        isOfJSON(bytes) || isOfOpenSSH(bytes) || isDER(bytes) || isDER(decoded(bytes)) || isWidePEM(bytes)
    }

    private static func isOfJSON(_ bytes: [UInt8]) -> Bool {
        guard let value = try? JSONValue(validating: bytes), value.kind == .object else { return false }
        return value["keys"] != nil || value["kty"] != nil
    }

    private static func isWidePEM(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self).contains(text: "-----BEGIN ")
    }

    /// Source: RFC 4253, section 6.6; sshd(8), "AUTHORIZED_KEYS FILE FORMAT".
    private static func isOfOpenSSH(_ bytes: [UInt8]) -> Bool {
        ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"].contains { bytes.starts(with: $0.utf8) }
    }

    /// True for a sequence of the whole length that begins with a sequence or a version number: every form of a key, and a
    /// certificate. One secret of 2^24 with random bytes looks like it. Source: X.690, section 8.1.
    private static func isDER(_ bytes: [UInt8]) -> Bool {
        guard let outer = contents(bytes[...], tag: 0x30), outer.endIndex == bytes.endIndex else { return false }
        if let inner = contents(outer, tag: 0x30) {
            return inner.first == 0x06 || inner.first == 0x30 || inner.first == 0xA0
        }
        return contents(outer, tag: 0x02) != nil
    }

    /// Returns the contents of the element at the beginning; nil if it has another tag or is cut.
    private static func contents(_ bytes: ArraySlice<UInt8>, tag: UInt8) -> ArraySlice<UInt8>? {
        guard bytes.count >= 2, bytes.first == tag else { return nil }
        let first = bytes[bytes.startIndex + 1]
        // Lengths of three bytes and more exceed the limit of the file.
        let lengthBytes = first < 0x80 ? 0 : Int(first & 0x7F)
        let rest = bytes.dropFirst(2 + lengthBytes)
        guard lengthBytes <= 2, bytes.count >= 2 + lengthBytes else { return nil }
        let count =
            first < 0x80 ? Int(first) : bytes.dropFirst(2).prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
        return rest.count >= count ? rest.prefix(count) : nil
    }

    /// The bytes of a text in Base64, also with line feeds; of another text, other bytes.
    private static func decoded(_ text: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        Base64Text.decode(text.span, to: &bytes)
        return bytes
    }
}
