import JSONScan
import Posix

/// A JSON Web Token that is signed with ES256. Source: RFC 7519, and RFC 7518, section 3.4.
enum SignedToken {
    /// - Parameters:
    ///   - header: a JSON object with `alg`.
    ///   - claims: a JSON object.
    static func text(header: [UInt8], claims: [UInt8], key: P256KeyPair) throws(CryptoFailure) -> String {
        let signed = "\(Base64URL.encode(header)).\(Base64URL.encode(claims))"
        return "\(signed).\(Base64URL.encode(try key.signature(of: Array(signed.utf8))))"
    }
}

/// The token by which Apple's push service recognises the sender. Source: Apple, "Establishing a token-based connection
/// to APNs".
package struct APNsToken: Sendable, Equatable {
    package let text: String
    /// Seconds since 1970.
    private let issued: Int64

    /// A token is valid for an hour. Apple refuses a new one within 20 minutes.
    private static let lifeSeconds: Int64 = 45 * 60

    /// - Parameters:
    ///   - keyId: the id of the key, 10 characters.
    ///   - teamId: the id of the developer's team, 10 characters.
    ///   - now: seconds since 1970.
    package init(keyId: String, teamId: String, key: P256KeyPair, now: Int64) throws(CryptoFailure) {
        let header = JSONWriter.object { writer in
            writer.member("alg", "ES256")
            writer.member("kid", keyId)
        }
        let claims = JSONWriter.object { writer in
            writer.member("iss", teamId)
            writer.member("iat", now)
        }
        text = try SignedToken.text(header: header, claims: claims, key: key)
        issued = now
    }

    /// False if another token must be made. A clock that was set back makes the token invalid too.
    package func isFresh(at now: Int64) -> Bool { (0..<Self.lifeSeconds).contains(now - issued) }
}
