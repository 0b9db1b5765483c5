import Access
import EventLoop
import Functions
import JSONScan
import LiveQueries
import Peers
import Posix
import SessionRecords
import SessionStreams
import Tinyvex

/// The peers of a bridge: follows their sessions that have readers here, and forwards commands.
@LoopActor package final class PeerBridges: OtherBridges {
    private let log: PeerLog
    private let registry: SessionRegistry
    private let services: LoopServices
    private let changes: Changes
    /// The places of the sessions whose next change has been asked for.
    private var asked: Set<Int64> = []
    private var isClosed = false

    package struct Changes {
        /// A session that somebody reads has changed.
        package let session: @LoopActor (Session) -> Void
        /// Lists of sessions have changed.
        package let listed: @LoopActor () -> Void
        /// Lists of open requests have changed.
        package let pending: @LoopActor () -> Void

        package init(
            session: @escaping @LoopActor (Session) -> Void, listed: @escaping @LoopActor () -> Void,
            pending: @escaping @LoopActor () -> Void
        ) {
            self.session = session
            self.listed = listed
            self.pending = pending
        }
    }

    /// The sessions of one bridge that are followed at once. The changes of further ones are seen when others end.
    private static let followedLimit = 1_000
    /// The pause before a session is asked for again after a failure, or after an answer without a change.
    private static let pause = Duration.seconds(1)

    package init(_ log: PeerLog, _ registry: SessionRegistry, services: LoopServices, _ changes: Changes) {
        self.log = log
        self.registry = registry
        self.services = services
        self.changes = changes
        log.onFollow = { [weak self] in self?.followSoon(after: .zero) }
        for peer in log.peers {
            peer.events.others = { [unowned log, unowned peer] in log.others(except: peer) }
            peer.events.listed = changes.listed
            peer.events.pendingChanged = changes.pending
            peer.events.reachableChanged = { [weak self, unowned peer] in self?.reachableChanged(peer) }
        }
        log.start()
    }

    package func close() { isClosed = true }

    /// Writes `peers` in `bridge:status`.
    package func write(to writer: inout JSONWriter) {
        for peer in log.peers { writer.object { peer.write(to: &$0) } }
    }

    /// One sentence for each peer that cannot be used.
    package var warnings: [String] {
        log.peers.compactMap { peer in
            peer.failure.map { "The peer \(peer.settings.url) cannot be used: \($0)." }
        }
    }

    /// The peers that can be used, and all.
    package var counts: (online: Int, all: Int) { (log.peers.count(where: \.isOnline), log.peers.count) }

    // MARK: Following

    private func followSoon(after pause: Duration) {
        services.timers.schedule(after: pause) { [weak self] in self?.follow() }
    }

    /// Asks for the next change of each session with readers.
    private func follow() {
        guard !isClosed else { return }
        for session in registry.followed {
            guard asked.count < Self.followedLimit else { return }
            follow(session)
        }
    }

    private func follow(_ session: Session) {
        guard let sid = session.sid, !asked.contains(sid), let (peer, place) = log.peer(of: sid), peer.isOnline
        else { return }
        ask(session, sid, place, peer)
    }

    private func ask(_ session: Session, _ sid: Int64, _ place: HubSid, _ peer: PeerLink) {
        guard let epoch = Journal(session.journal)?.epoch else { return }
        let known = LogRequest.KnownState(
            sid: place.own, epoch: epoch, timelineHead: session.timelineHead, isLive: session.isLive,
            isRunning: session.home?.isRunning ?? false, queue: session.home?.queue.map(\.queuedTs) ?? [])
        asked.insert(sid)
        let begin = services.time.now
        peer.read(.change(of: known)) { [weak self] result in
            guard let self, asked.remove(sid) != nil else { return }
            var hasChanged = false
            if case .success(.records(let records, let lost)) = result {
                hasChanged = take(records.first, takenBackFrom: lost, of: sid, peer)
            }
            // An answer at once without a change must not be followed by the next request at once.
            let isQuick = services.time.now - begin < Self.pause
            if !hasChanged, isQuick { return followSoon(after: Self.pause) }
            // Others wait only if all places are taken.
            if asked.count + 1 < Self.followedLimit, let session = registry.known(sid: sid) { return follow(session) }
            follow()
        }
    }

    /// Returns true if the session has something new.
    private func take(_ found: PeerRecord?, takenBackFrom lost: Int64?, of sid: Int64, _ peer: PeerLink) -> Bool {
        guard let session = registry.known(sid: sid) else { return false }
        guard let found else {
            session.deleted()
            changes.session(session)
            return false
        }
        peer.take(found)
        return update(session, peer.record(found), takenBackFrom: lost)
    }

    private func update(_ session: Session, _ record: SessionRecord, takenBackFrom lost: Int64?) -> Bool {
        let earlier = (session.timelineHead, session.journal, session.isLive, session.home)
        session.follow(record, takenBackFrom: lost)
        guard earlier != (session.timelineHead, session.journal, session.isLive, session.home) else { return false }
        changes.session(session)
        return true
    }

    /// Shows the sessions with readers as unreachable, or asks for their changes again.
    private func reachableChanged(_ peer: PeerLink) {
        guard !isClosed else { return }
        for session in registry.followed {
            guard let sid = session.sid, log.peer(of: sid)?.peer === peer else { continue }
            // The request of the lost connection has failed, or is about to.
            asked.remove(sid)
            if let home = session.home, home.unreachableTs != peer.unreachableTs {
                session.show(
                    SessionHome(
                        bridge: peer.name, isRunning: home.isRunning && peer.isOnline,
                        unreachableTs: peer.unreachableTs))
                changes.session(session)
            }
        }
        followSoon(after: .zero)
    }

    // MARK: Calls

    /// A peer also knows the viewers of its sessions that are clients of this bridge.
    package func forwards(_ kind: FunctionDescription.Kind, _ name: String) -> Bool {
        ForwardedCall.isForwardable(kind, name) || (kind == .action && name == ActionName.sessionsView.rawValue)
    }

    package func takesCalls(for session: Session) -> Bool {
        session.sid.flatMap(log.peer)?.peer.isOnline ?? false
    }

    package func forward(_ call: ForwardedCall, then finish: @escaping @LoopActor (QueryOutcome) -> Void) {
        guard let (peer, _) = log.peer(of: call.sid) else {
            return finish(.failure(SessionRegistry.unreadable))
        }
        peer.command(call) { finish($0) }
    }

    package var places: [BridgePlace] {
        log.peers.map { BridgePlace(name: $0.name, unreachableTs: $0.isOnline ? nil : $0.unreachableTs) }
    }

    package func forward(_ call: BridgeCall, then finish: @escaping @LoopActor (QueryOutcome) -> Void) {
        do throws(Rejection) {
            let peer = try peer(named: call.bridge)
            peer.command(call) { result in
                guard case .success(let value) = result, call.name == ActionName.sessionsBegin.rawValue else {
                    return finish(result)
                }
                PeerSessionBegin(value, at: peer).find { finish(.success($0)) }
            }
        } catch {
            finish(.failure(error))
        }
    }

    package func profiles(of bridge: String, then finish: @escaping @LoopActor (QueryOutcome) -> Void) {
        do throws(Rejection) {
            try peer(named: bridge).profiles { finish($0) }
        } catch {
            finish(.failure(error))
        }
    }

    private func peer(named name: String) throws(Rejection) -> PeerLink {
        let found = log.peers.filter { $0.name == name }
        guard let peer = found.first else {
            let names = log.peers.map { quoted($0.name) }.joined(separator: ", ")
            throw .invalidParams("bridge: no peer of this bridge is called \(quoted(name)); its peers are \(names)")
        }
        guard found.count == 1 else {
            throw .invalidParams(
                "bridge: \(found.count) peers of this bridge are called \(quoted(name)); give each one a `name` in `--peer`"
            )
        }
        return peer
    }

    /// A tenant sees none, because the rows do not have their tenant.
    package func pending(
        _ lists: [PendingList], tenant: String?, then finish: @escaping @LoopActor ([PendingRow]) -> Void
    ) {
        finish(tenant == nil ? log.peers.flatMap { peer in lists.flatMap { peer.pending($0) } } : [])
    }

    package func knownRecord(of sid: Int64, then finish: @escaping @LoopActor ([SessionRecord]) -> Void) {
        finish(log.knownRecord(of: sid).map { [$0] } ?? [])
    }

    package func usage(starts: [Int64], then finish: @escaping @LoopActor ([UsageOfOthers]) -> Void) {
        let sources = log.peers.map { peer in
            PeerUsage.Source(name: peer.name) { peer.read(.usage(starts: starts), then: $0) }
        }
        PeerUsage(finish).read(sources, timers: services.timers)
    }
}
