import EventLoop
import Hub
import Posix
import SessionRecords
import SessionStreams

/// Looks for new updates of the sessions of other bridges that have readers here. Without such readers it does nothing.
@LoopActor package final class HubFollower {
    private let registry: SessionRegistry
    private let services: LoopServices
    let worker: HubWorker
    /// Identifies this process in the table `watch`.
    private let name: String
    private var pace = PollPace()
    private var isFollowing = false
    private var isClosed = false
    /// The logs that are watched, and when this must be renewed.
    private var watched: (logIds: Set<Int64>, until: Instant)?
    /// Called after a session has changed.
    private let changed: @LoopActor (Session) -> Void

    private static let renewalPause = Duration.seconds(5)

    package init(
        _ settings: HubSettings, _ registry: SessionRegistry, _ log: HubLog, services: LoopServices,
        changed: @escaping @LoopActor (Session) -> Void
    ) throws {
        self.registry = registry
        self.services = services
        self.changed = changed
        name = HubSettings.instance
        worker = try HubWorker(settings.address, name: "hub-follower", services: services)
        log.onFollow = { [weak self] in self?.follow() }
    }

    private func follow() {
        guard !isFollowing, !isClosed else { return }
        isFollowing = true
        pace = PollPace()
        schedule(after: .zero)
    }

    private func schedule(after pause: Duration) {
        services.timers.schedule(after: pause) { [weak self] in self?.look() }
    }

    private func look() {
        guard !isClosed else { return }
        let followed = registry.followed.compactMap { session -> HubDatabase.Followed? in
            guard let place = session.sid.flatMap(HubSid.init), let journal = Journal(session.journal) else {
                return nil
            }
            return HubDatabase.Followed(
                place: place, epoch: journal.epoch, last: session.hasReadersAtEnd ? session.head : nil)
        }
        guard !followed.isEmpty else {
            isFollowing = false
            return
        }
        let begin = services.time.now
        let logIds = logsToWatch(Set(followed.map(\.place.logId)), at: begin)
        worker.run { [name] (database) throws(HubError) in
            if !logIds.isEmpty { try Self.watch(logIds, name, database) }
            return try database.current(followed)
        } then: { [weak self] result in
            self?.looked(followed, result, since: begin)
        }
    }

    /// The logs whose bridges must be asked to ship at once. Empty if nothing must be renewed.
    private func logsToWatch(_ logIds: Set<Int64>, at now: Instant) -> [Int64] {
        if let watched, now < watched.until, logIds.isSubset(of: watched.logIds) { return [] }
        watched = (logIds, now + Self.renewalPause)
        return Array(logIds)
    }

    /// A read-only replica cannot store the request. Bridges then ship once a second.
    private nonisolated static func watch(
        _ logIds: [Int64], _ name: String, _ database: HubDatabase
    ) throws(HubError) {
        do throws(HubError) {
            try database.watch(logIds, viewer: name)
        } catch {
            if error.endsConnection { throw error }
        }
    }

    private func looked(
        _ followed: [HubDatabase.Followed], _ result: Result<HubDatabase.Current, HubError>, since begin: Instant
    ) {
        guard !isClosed else { return }
        guard case .success(let current) = result else {
            watched = nil
            return schedule(after: pace.failed())
        }
        var foundChange = false
        for found in current.found where update(found) { foundChange = true }
        let left = Set(current.found.map(\.record.sid)).union(current.unreadable.map(\.sid))
        for missing in followed where !left.contains(missing.place.sid) {
            registry.known(sid: missing.place.sid)?.deleted()
            foundChange = true
        }
        schedule(after: pace.looked(foundChange: foundChange, taking: services.time.now - begin))
    }

    /// Returns true if the session has something new.
    private func update(_ found: HubDatabase.Found) -> Bool {
        guard let session = registry.known(sid: found.record.sid) else { return false }
        let earlier = (session.timelineHead, session.journal, session.isLive, session.home)
        session.follow(found.record, takenBackFrom: found.takenBackFrom, updates: found.updates)
        guard earlier != (session.timelineHead, session.journal, session.isLive, session.home) else { return false }
        changed(session)
        return true
    }

    package func close() {
        isClosed = true
        worker.close()
    }
}
