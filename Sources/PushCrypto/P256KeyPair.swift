import CCrypto
import Posix

/// The cryptography is not available, or a key is not valid.
package struct CryptoFailure: Error, CustomStringConvertible {
    package let description: String

    /// The reason why the library cannot be used; otherwise `reason`.
    init(_ reason: String) {
        description = ccrypto_load().map { String(cString: $0) } ?? reason
    }
}

/// A key pair of the curve P-256.
package struct P256KeyPair: Sendable, Equatable {
    /// 32 bytes.
    let privateKey: [UInt8]
    /// 65 bytes: 4, x and y.
    package let publicKey: [UInt8]

    /// Makes a new key pair.
    package init() throws(CryptoFailure) {
        var privateKey = [UInt8](repeating: 0, count: ccrypto_private_bytes)
        var publicKey = [UInt8](repeating: 0, count: ccrypto_public_bytes)
        guard ccrypto_make_key(&privateKey, &publicKey) else { throw CryptoFailure("no key could be made") }
        self.privateKey = privateKey
        self.publicKey = publicKey
    }

    /// Reads the form of ``text``. Returns nil if it is not one.
    package init?(text: some StringProtocol) {
        let parts = text.split(separator: ".").map { Base64URL.decode($0) }
        guard parts.count == 2, let privateKey = parts[0], let publicKey = parts[1] else { return nil }
        self.init(privateKey: privateKey, publicKey: publicKey)
    }

    /// Reads a private key in PEM form, `BEGIN PRIVATE KEY` or `BEGIN EC PRIVATE KEY`, as Apple gives it in a `.p8` file.
    package init(pem: String) throws(CryptoFailure) {
        let lines = pem.split(whereSeparator: \.isNewline).map { $0.filter { !$0.isWhitespace } }
        guard let first = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN") && $0.hasSuffix("PRIVATEKEY-----") }),
            let last = lines[first...].firstIndex(where: { $0.hasPrefix("-----END") }),
            let der = Self.der(lines[lines.index(after: first)..<last].joined())
        else { throw CryptoFailure("the file has no private key in PEM form") }
        var privateKey = [UInt8](repeating: 0, count: ccrypto_private_bytes)
        var publicKey = [UInt8](repeating: 0, count: ccrypto_public_bytes)
        guard ccrypto_read_key(der, der.count, &privateKey, &publicKey) else {
            throw CryptoFailure("the private key is not one of the curve P-256")
        }
        self.privateKey = privateKey
        self.publicKey = publicKey
    }

    private static func der(_ base64: String) -> [UInt8]? {
        Base64URL.decode(
            String(base64.filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }))
    }

    init?(privateKey: [UInt8], publicKey: [UInt8]) {
        guard privateKey.count == ccrypto_private_bytes, Self.isPublicKey(publicKey) else { return nil }
        self.privateKey = privateKey
        self.publicKey = publicKey
    }

    /// The private and the public key for a private file: two texts in Base64url with a dot between them.
    package var text: String { "\(Base64URL.encode(privateKey)).\(Base64URL.encode(publicKey))" }

    /// Checks the form only. A point that is not on the curve makes a later operation fail.
    package static func isPublicKey(_ bytes: [UInt8]) -> Bool {
        bytes.count == ccrypto_public_bytes && bytes.first == 4
    }

    /// Signs with ES256. The signature has 64 bytes.
    func signature(of message: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: ccrypto_signature_bytes)
        guard ccrypto_sign(privateKey, publicKey, message, message.count, &signature) else {
            throw CryptoFailure("the key cannot sign")
        }
        return signature
    }

    /// The secret that this key pair shares with the owner of `peer`.
    func sharedSecret(with peer: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        var secret = [UInt8](repeating: 0, count: 32)
        guard Self.isPublicKey(peer), ccrypto_agree(privateKey, publicKey, peer, &secret) else {
            throw CryptoFailure("the peer's key is not a point of P-256")
        }
        return secret
    }
}

/// HMAC with SHA-256.
enum HMAC256 {
    static func digest(key: [UInt8], _ message: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: ccrypto_digest_bytes)
        guard ccrypto_hmac(key, key.count, message, message.count, &digest) else {
            throw CryptoFailure("no HMAC could be made")
        }
        return digest
    }
}
