import JSONScan
import Posix

/// The signature by which a push service recognises the sender. Source: RFC 8292.
package enum VAPID {
    /// A token is valid for 12 hours, half of the time that RFC 8292, section 2, permits.
    private static let lifeSeconds: Int64 = 12 * 3600

    /// The value of `Authorization` for a message to one push service.
    ///
    /// - Parameters:
    ///   - origin: the push service's origin: `https://fcm.googleapis.com`.
    ///   - subject: an address of the sender, `mailto:` or `https:`. Apple's service requires one.
    ///   - now: seconds since 1970.
    package static func authorization(
        origin: String, subject: String, key: P256KeyPair, now: Int64
    ) throws(CryptoFailure) -> String {
        let claims = JSONWriter.object { writer in
            writer.member("aud", origin)
            writer.member("exp", now + lifeSeconds)
            writer.member("sub", subject)
        }
        let token = try SignedToken.text(
            header: Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8), claims: claims, key: key)
        return "vapid t=\(token),k=\(Base64URL.encode(key.publicKey))"
    }
}
