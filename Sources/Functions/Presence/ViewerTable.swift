import JSONScan
import Posix

/// A person who has a session on a screen: an element of `viewers` in `sessions:get`.
struct SessionViewer: Sendable, Equatable {
    /// The viewer's `Identity.who`, such as `token tk_3f9a01c2`.
    let who: String
    /// The name of the viewer's token; nil for other identities.
    let name: String?
    /// Nil for the bridge's own users.
    let tenant: String?
    /// The time of the first report without a longer silence. Milliseconds since 1970.
    let sinceTs: Int64

    func write(to writer: inout JSONWriter) {
        writer.member("who", who)
        writer.member("name", ifPresent: name)
        writer.member("sinceTs", sinceTs)
    }
}

/// The people who have sessions on a screen, as `sessions:view` reports them. Pure: reports and times in, viewers out.
struct ViewerTable: Sendable {
    /// A session. Others can have the same id at the same time.
    struct Place: Hashable, Sendable {
        /// The session's place in the log.
        let sid: Int64
        let sessionId: String
    }

    private struct Entry {
        var viewer: SessionViewer
        var expiry: Instant
    }

    /// A viewer who sends no report for this time is away. A page sends one every 15 s.
    static let patience = Duration.seconds(30)
    /// Viewers of one session. Further ones are not listed.
    static let sessionLimit = 50
    /// Viewers of all sessions, each with at most a few hundred bytes. Further ones are not listed.
    static let limit = 1_000

    private var entries: [Place: [Entry]] = [:]
    private var count = 0

    /// Notes a report. Returns true if the list of the session's viewers has changed.
    mutating func viewed(_ place: Place, by viewer: SessionViewer, at now: Instant) -> Bool {
        let expiry = now + Self.patience
        if let index = entries[place]?.firstIndex(where: { $0.viewer.who == viewer.who }) {
            entries[place]?[index].expiry = expiry
            return false
        }
        guard count < Self.limit, entries[place]?.count ?? 0 < Self.sessionLimit else { return false }
        entries[place, default: []].append(Entry(viewer: viewer, expiry: expiry))
        count += 1
        return true
    }

    /// The session's viewers in the order of their arrival.
    ///
    /// - Parameter tenant: the reader's tenant. A tenant sees only its own viewers; nil sees all.
    func viewers(of place: Place, tenant: String?) -> [SessionViewer] {
        (entries[place] ?? []).map(\.viewer).filter { tenant == nil || $0.tenant == tenant }
    }

    /// Removes the viewers who are away. Returns the sessions that have lost one.
    mutating func removeExpired(at now: Instant) -> [Place] {
        var changed: [Place] = []
        for (place, viewers) in entries {
            let present = viewers.filter { $0.expiry > now }
            guard present.count < viewers.count else { continue }
            changed.append(place)
            count -= viewers.count - present.count
            entries[place] = present.isEmpty ? nil : present
        }
        return changed
    }

    /// The time at which ``removeExpired(at:)`` must be called; nil without viewers.
    var nextExpiry: Instant? { entries.values.lazy.joined().map(\.expiry).min() }
}
