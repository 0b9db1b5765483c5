import EventLoop
import Notifications
import PushCrypto

/// The keys and tokens by which push services recognise this bridge.
@LoopActor final class PushSenders {
    private let files: NotificationFiles
    /// Made when the first page asks for it.
    private var webKey: P256KeyPair?
    /// By the path of the key file. Read at the start, like the rules that name them.
    private var keys: [String: P256KeyPair] = [:]
    /// The newest tokens, by key file, key id and team id.
    private var tokens: [String: APNsToken] = [:]

    /// - Throws: if the key file of a target cannot be read.
    init(_ settings: NotificationSettings, _ files: NotificationFiles) throws {
        self.files = files
        for apns in settings.apns where keys[apns.keyFile] == nil {
            keys[apns.keyFile] = try NotificationFiles.apnsKey(apns.keyFile)
        }
    }

    /// The key of Web Push.
    func pushKey() throws -> P256KeyPair {
        if let webKey { return webKey }
        let made = try files.pushKey()
        webKey = made
        return made
    }

    /// The token for Apple's push service. It is used again for as long as it is fresh.
    ///
    /// - Parameter now: seconds since 1970.
    func token(for apns: NotificationTarget.APNs, now: Int64) throws -> String {
        if let token = tokens[Self.name(apns)], token.isFresh(at: now) { return token.text }
        guard let key = keys[apns.keyFile] else { return "" }
        let token = try APNsToken(keyId: apns.keyId, teamId: apns.teamId, key: key, now: now)
        tokens[Self.name(apns)] = token
        return token.text
    }

    /// Forgets a token that Apple has refused.
    func forgetToken(for apns: NotificationTarget.APNs) { tokens[Self.name(apns)] = nil }

    private static func name(_ apns: NotificationTarget.APNs) -> String {
        [apns.keyFile, apns.keyId, apns.teamId].joined(separator: "\n")
    }
}
