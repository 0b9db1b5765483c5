import JSONScan
import Posix

/// The signature of a webhook. It covers the id and the time, so a receiver can refuse repetitions. Source: Standard
/// Webhooks, section "Symmetric".
package enum WebhookSignature {
    private static let prefix = "whsec_"

    /// Reads a secret: `whsec_` and 24 to 64 bytes in Base64. Returns nil if it is not one.
    package static func secret(_ text: String) -> [UInt8]? {
        guard text.hasPrefix(prefix) else { return nil }
        let plain = text.dropFirst(prefix.count).filter { $0 != "=" }
        let url = plain.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
        guard let secret = Base64URL.decode(String(url)), (24...64).contains(secret.count) else { return nil }
        return secret
    }

    /// The value of `webhook-signature`.
    ///
    /// - Parameters:
    ///   - id: the value of `webhook-id`.
    ///   - timestamp: the value of `webhook-timestamp`, in seconds since 1970.
    package static func value(
        id: String, timestamp: Int64, body: [UInt8], secret: [UInt8]
    ) throws(CryptoFailure) -> String {
        let digest = try HMAC256.digest(key: secret, Array("\(id).\(timestamp).".utf8) + body)
        var value = Array("v1,".utf8)
        Base64Text.encode(digest, to: &value)
        return String(decoding: value, as: UTF8.self)
    }
}
