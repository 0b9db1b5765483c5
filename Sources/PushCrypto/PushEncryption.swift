import CCrypto
import Posix

/// The keys that a browser gives with a push subscription.
package struct PushKeys: Sendable, Equatable {
    /// The browser's public key, 65 bytes.
    package let publicKey: [UInt8]
    /// 16 bytes that the browser shares with its senders.
    package let authSecret: [UInt8]

    /// - Parameters: the members `p256dh` and `auth` of a subscription, in Base64url.
    package init?(p256dh: String, auth: String) {
        guard let publicKey = Base64URL.decode(p256dh), P256KeyPair.isPublicKey(publicKey),
            let authSecret = Base64URL.decode(auth), authSecret.count == 16
        else { return nil }
        self.publicKey = publicKey
        self.authSecret = authSecret
    }

    package var p256dh: String { Base64URL.encode(publicKey) }
    package var auth: String { Base64URL.encode(authSecret) }
}

/// The body of a push message: encrypted for one browser, so that the push service cannot read it. Source: RFC 8291, and
/// RFC 8188 for the content coding `aes128gcm`.
package enum PushEncryption {
    /// A message must be one record of 4,096 bytes, because browsers accept no more. Source: RFC 8291, section 4.
    private static let recordBytes = 4096
    /// The header has 86 bytes, the tag 16 and the delimiter 1.
    package static let textLimitBytes = 4096 - 86 - 16 - 1

    /// - Parameter text: at most ``textLimitBytes``.
    package static func body(_ text: [UInt8], for keys: PushKeys) throws(CryptoFailure) -> [UInt8] {
        guard let salt = RandomText.bytes(16) else { throw CryptoFailure("the system cannot provide random numbers") }
        return try body(text, for: keys, sender: P256KeyPair(), salt: salt)
    }

    /// - Parameters:
    ///   - sender: a new key pair.
    ///   - salt: 16 new random bytes.
    static func body(
        _ text: [UInt8], for keys: PushKeys, sender: P256KeyPair, salt: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] {
        guard text.count <= textLimitBytes else { throw CryptoFailure("the message is too long") }
        let secret = try sender.sharedSecret(with: keys.publicKey)
        let info = Array("WebPush: info\0".utf8) + keys.publicKey + sender.publicKey
        let material = try expand(HMAC256.digest(key: keys.authSecret, secret), info)
        let root = try HMAC256.digest(key: salt, material)
        let key = try expand(root, Array("Content-Encoding: aes128gcm\0".utf8)).prefix(16)
        let nonce = try expand(root, Array("Content-Encoding: nonce\0".utf8)).prefix(12)
        // The delimiter 2 marks the last record.
        let record = text + [2]
        var sealed = [UInt8](repeating: 0, count: record.count + ccrypto_tag_bytes)
        guard ccrypto_seal(Array(key), Array(nonce), record, record.count, &sealed) else {
            throw CryptoFailure("the message could not be encrypted")
        }
        let size = UInt32(recordBytes)
        let sizeBytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> UInt32($0)) }
        return salt + sizeBytes + [UInt8(sender.publicKey.count)] + sender.publicKey + sealed
    }

    /// One block of HKDF-Expand. Source: RFC 5869, section 2.3.
    private static func expand(_ key: [UInt8], _ info: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        try HMAC256.digest(key: key, info + [1])
    }
}
