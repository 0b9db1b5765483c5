import JSONScan

/// The sessions that people have muted. Pure.
///
/// A mute belongs to one incarnation, because a later session can have the same id. It concerns the destinations of the
/// person's own tenant only. The other tenants get their notifications.
package struct MutedSessions: Sendable, Equatable {
    private struct Mute: Sendable, Equatable {
        /// The name of a session's incarnation in the log: `9f03c2aa-17`.
        let incarnation: String
        /// The tenant of the person who muted it; nil for the bridge's own users.
        let tenant: String?
    }

    /// Muted sessions of one tenant, and of the bridge's own users. Beyond that the oldest mutes end: their sessions
    /// have most probably ended, too.
    static let tenantLimit = 500
    /// Muted sessions of all tenants, each with at most 200 bytes.
    static let limit = 5_000

    /// The oldest first.
    private var mutes: [Mute] = []

    package init() {}

    /// Mutes a session, or ends its mute.
    package mutating func set(_ isMuted: Bool, _ incarnation: String, tenant: String?) {
        let mute = Mute(incarnation: incarnation, tenant: tenant)
        mutes.removeAll { $0 == mute }
        guard isMuted else { return }
        mutes.append(mute)
        if mutes.count(where: { $0.tenant == tenant }) > Self.tenantLimit,
            let oldest = mutes.firstIndex(where: { $0.tenant == tenant })
        {
            mutes.remove(at: oldest)
        }
        if mutes.count > Self.limit { mutes.removeFirst() }
    }

    /// Whether one of these incarnations is muted for a tenant's people.
    package func contains(_ incarnations: [String], tenant: String?) -> Bool {
        mutes.contains { $0.tenant == tenant && incarnations.contains($0.incarnation) }
    }

    // MARK: The file

    /// One mute per line.
    package var stored: [UInt8] {
        mutes.flatMap { mute in
            JSONWriter.object { writer in
                writer.member("incarnation", mute.incarnation)
                writer.member("tenant", ifPresent: mute.tenant)
            } + [0x0a]
        }
    }

    /// Ignores lines that are not mutes, for example of a later version.
    package init(stored bytes: [UInt8]) {
        for line in bytes.split(separator: 0x0a) {
            guard let value = try? JSONValue(validating: Array(line)),
                let incarnation = value["incarnation"]?.stringValue
            else { continue }
            set(true, incarnation, tenant: value["tenant"]?.stringValue)
        }
    }
}
