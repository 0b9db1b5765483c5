import Hashing
import Posix

/// Short-lived secrets, each of which can be used once. Pure: the caller passes in randomness and time.
///
/// The table holds the SHA-256 of each secret, not its text. It is in memory only, so a new program starts without
/// secrets.
package struct OneTimeSecrets<Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let end: Instant
    }

    /// The largest number of unused secrets. At the limit no secret is added, because dropping one would let a client
    /// disable the secrets of others.
    private let limit: Int
    private var entries: [[UInt8]: Entry] = [:]

    package init(limit: Int) { self.limit = limit }

    /// Returns false, and adds nothing, if the table is full.
    ///
    /// - Parameter text: unguessable; the only copy is the caller's.
    package mutating func add(_ text: String, _ value: Value, until end: Instant, at now: Instant) -> Bool {
        if entries.count >= limit { entries = entries.filter { $0.value.end > now } }
        guard entries.count < limit else { return false }
        entries[SHA256.digest(of: text.utf8)] = Entry(value: value, end: end)
        return true
    }

    /// Returns the secret's value and forgets the secret. Returns nil if the secret is unknown, was used, or its time is
    /// over.
    ///
    /// The search compares hashes, so its time reveals nothing about the text of a secret.
    package mutating func spend(_ text: String, at now: Instant) -> Value? {
        guard let entry = entries.removeValue(forKey: SHA256.digest(of: text.utf8)), entry.end > now else { return nil }
        return entry.value
    }

    package var count: Int { entries.count }
}
