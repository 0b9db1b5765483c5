import Notifications
import Posix
import PushCrypto

/// The files of the notifications: the queue, the push subscriptions, the muted sessions, and the key of Web Push.
package final class NotificationFiles: Sendable {
    private let home: Home

    /// The largest file that is read: the bounds of the queue and of the subscriptions, with JSON's escapes.
    private static let limitBytes = 4 << 20

    init(_ home: Home) { self.home = home }

    func queue() throws(SystemError) -> [NotificationMessage] {
        NotificationMachine.queue(
            stored: try PrivateFile.read(home.notificationQueue, limitBytes: Self.limitBytes) ?? [])
    }

    func subscriptions() throws(SystemError) -> [PushSubscription] {
        let bytes = try PrivateFile.read(home.pushSubscriptions, limitBytes: Self.limitBytes) ?? []
        return bytes.split(separator: 0x0a).compactMap { PushSubscription(storedLine: Array($0)) }
    }

    func store(_ subscriptions: [PushSubscription]) throws(SystemError) {
        try PrivateFile.replace(home.pushSubscriptions, with: subscriptions.flatMap { $0.storedLine() + [0x0a] })
    }

    func muted() throws(SystemError) -> MutedSessions {
        MutedSessions(stored: try PrivateFile.read(home.mutedSessions, limitBytes: Self.limitBytes) ?? [])
    }

    func store(_ muted: MutedSessions) throws(SystemError) {
        try PrivateFile.replace(home.mutedSessions, with: muted.stored)
    }

    /// The key by which push services recognise this bridge. It is made once, because a subscription is valid only for
    /// the key with which a page requested it.
    func pushKey() throws -> P256KeyPair {
        if let bytes = try PrivateFile.read(home.pushKey, limitBytes: 1024) {
            let text = String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
            if let key = P256KeyPair(text: text) { return key }
            throw SystemError(refusing: "read \(home.pushKey)", because: "it has no key; delete it to get a new one")
        }
        let key = try P256KeyPair()
        try PrivateFile.replace(home.pushKey, with: Array((key.text + "\n").utf8))
        return key
    }

    /// The largest key file that is read. Apple's have 257 bytes.
    private static let keyFileLimitBytes = 16 << 10

    /// Reads the key of a target for Apple's push service. The file is refused if another user can change it.
    package static func apnsKey(_ path: String) throws -> P256KeyPair {
        guard let bytes = try PrivateFile.read(path, limitBytes: keyFileLimitBytes) else {
            throw SystemError(refusing: "read \(path)", because: "it does not exist")
        }
        do throws(CryptoFailure) {
            return try P256KeyPair(pem: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw SystemError(refusing: "read \(path)", because: error.description)
        }
    }
}
