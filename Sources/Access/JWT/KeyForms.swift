import JSONScan
import TextSearch

/// Recognises keys in other forms than PEM. Pure.
///
/// A file that is not PEM is a secret for HS256. A public key in such a file would be a secret that everybody knows, so
/// anybody could sign tokens.
enum KeyForms {
    /// Returns true for a JSON Web Key, a set or an array of them, a file of SSH keys, a key or certificate in DER, also in
    /// Base64, and PEM in UTF-16.
    static func includes(_ bytes: [UInt8]) -> Bool {
        isOfJSON(bytes) || hasSSHKey(bytes) || isDER(bytes) || isDER(decoded(bytes)) || hasTitle(bytes)
    }

    private static func isOfJSON(_ bytes: [UInt8]) -> Bool {
        guard let value = try? JSONValue(validating: bytes) else { return false }
        let keys = value.kind == .array ? value.elements : [value]
        return keys.contains { $0.kind == .object && ($0["keys"] != nil || $0["kty"] != nil) }
    }

    /// True for a key between two titles: PEM in UTF-16, whose text has zeros, and SSH2. Source: RFC 4716, section 3.
    private static func hasTitle(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
        return text.contains(text: "-----BEGIN ") || text.contains(text: "---- BEGIN ")
    }

    /// True if a line begins with a type of key, or has a key after options. Source: RFC 4253, section 6.6; sshd(8),
    /// "AUTHORIZED_KEYS FILE FORMAT".
    private static func hasSSHKey(_ bytes: [UInt8]) -> Bool {
        bytes.split { $0 == 0x0A || $0 == 0x0D }.contains { line in
            let words = line.split { $0 == 0x20 || $0 == 0x09 }
            return words.first.map(isSSHType) == true || words.contains { isSSHKey(Array($0)) }
        }
    }

    private static func isSSHType(_ bytes: ArraySlice<UInt8>) -> Bool {
        ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"].contains { bytes.starts(with: $0.utf8) }
    }

    /// True for a key in Base64: it begins with its type, after the type's length in 4 bytes.
    private static func isSSHKey(_ word: [UInt8]) -> Bool {
        word.starts(with: "AAAA".utf8) && isSSHType(decoded(word).dropFirst(4))
    }

    /// True for a sequence of the whole length that begins with a sequence or a version number: every form of a key, and a
    /// certificate. A random secret has this form with a probability of about 2^-24. Source: X.690, section 8.1.
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
