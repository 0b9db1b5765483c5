import EventLoop
import LogAccess
import Peers
import Posix
import SessionRecords
import SessionStreams

/// The log of a bridge with peers: its own log, and the logs of the peers for the rest. Lists and names are looked up in
/// all of them.
///
/// If a peer cannot be reached, lists have its sessions as they were, with the time of the loss, and a session of it
/// cannot be read.
@LoopActor package final class PeerLog: CombinedLog {
    package let own: any LogClient
    let peers: [PeerLink]
    private let services: LoopServices
    /// Nil until the log has answered.
    private(set) var ownId: UInt32?
    /// Called when a session of a peer has come into memory.
    package var onFollow: @LoopActor () -> Void = {}

    package init(_ settings: [PeerSettings], version: String, own: any LogClient, services: LoopServices) {
        self.own = own
        self.services = services
        peers = settings.map { PeerLink($0, version: version, services: services) }
    }

    /// Connects to the peers. Call when the bridge serves its clients, so that two bridges that are each other's peers can
    /// be started in any order.
    func start() {
        own.read(.logId) { [self] answer in
            if case .logId(let id) = answer { ownId = id }
            for peer in peers { peer.start() }
        }
    }

    /// The logs that a peer must not have, with the names of their bridges.
    func others(except peer: PeerLink) -> [UInt32: String] {
        var others: [UInt32: String] = [:]
        for other in peers where other !== peer && other.isOnline {
            if let id = other.logId { others[id] = other.settings.url }
        }
        if let ownId { others[ownId] = "this one" }
        return others
    }

    /// The peer that has the session at this place.
    func peer(of sid: Int64) -> (peer: PeerLink, place: HubSid)? {
        guard let place = HubSid(sid), let peer = peers.first(where: { $0.logId.map(Int64.init) == place.logId }) else {
            return nil
        }
        return (peer, place)
    }

    /// The session's record in the peer's list.
    func knownRecord(of sid: Int64) -> SessionRecord? {
        peer(of: sid)?.peer.records().first { $0.sid == sid }
    }

    package func close() {
        for peer in peers { peer.close() }
        own.close()
    }

    // MARK: Sessions of peers

    package func place(of journal: Journal) -> Int64 {
        guard journal.logId != ownId, peers.contains(where: { $0.logId == journal.logId }) else { return journal.sid }
        return HubSid(journal)?.sid ?? journal.sid
    }

    package func readSession(
        _ query: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void
    ) -> Bool {
        guard let (peer, place) = query.session.flatMap(peer) else { return false }
        read(query, of: peer, place, action)
        return true
    }

    private func read(
        _ query: ReadRequest.Query, of peer: PeerLink, _ place: HubSid, _ action: @escaping @LoopActor (Answer) -> Void
    ) {
        guard let request = LogRequest(query, sid: place.own) else {
            return action(.failed(.unknownSession(sid: place.own)))
        }
        if case .position(_, let journal, _) = request, HubSid(journal) != place {
            return action(.position(.resetTo(first: 1)))
        }
        let isRecord = if case .incarnation = request { true } else { false }
        peer.read(request) { [self] result in
            switch result {
            case .success(let answer):
                if case .records(let records, _) = answer, let found = records.first { peer.take(found) }
                action(answer.answer(peer.record) ?? .failed(.damaged))
            case .failure(let failure) where failure.isUnknownSession:
                action(isRecord ? .sessions([]) : .failed(.unknownSession(sid: place.own)))
            case .failure(let failure):
                // The last known record still names the bridge, so commands fail with its name.
                if isRecord, let known = knownRecord(of: place.sid) {
                    return action(.sessions([known]))
                }
                action(.failed(.peerFailed(bridge: peer.name, reason: failure.reason)))
            }
        }
    }

    package func listOthers(
        _ query: ReadRequest.Query, then action: @escaping @LoopActor (SessionListing?) -> Void
    ) {
        whenListed(peers[...]) { [self] in
            action(PeerListing.listing(query, of: peers.flatMap { $0.records() }))
        }
    }

    /// Reads the lists of these peers, all at once.
    private func whenListed(_ peers: ArraySlice<PeerLink>, then action: @escaping @LoopActor () -> Void) {
        guard let first = peers.first else { return action() }
        for peer in peers.dropFirst() { peer.whenListed {} }
        first.whenListed { [self] in whenListed(peers.dropFirst(), then: action) }
    }

    package func findOthers(
        _ sessionId: String, agent: String?, tenant: String?, then action: @escaping @LoopActor (Answer) -> Void
    ) {
        let search = PeerSearch(sessionId: sessionId, agent: agent, tenant: tenant, count: peers.count, action)
        for peer in peers { search.ask(peer) }
        search.finishIfDone()
    }
}

/// Looks for a session at all peers.
@LoopActor private final class PeerSearch {
    private let sessionId: String
    private let agent: String?
    private let tenant: String?
    private var missing: Int
    private var found: [SessionRecord] = []
    private var action: (@LoopActor (Answer) -> Void)?

    init(
        sessionId: String, agent: String?, tenant: String?, count: Int,
        _ action: @escaping @LoopActor (Answer) -> Void
    ) {
        self.sessionId = sessionId
        self.agent = agent
        self.tenant = tenant
        self.action = action
        missing = count
    }

    func ask(_ peer: PeerLink) {
        peer.read(.find(sessionId: sessionId, agent: agent)) { [self] result in
            missing -= 1
            if case .success(.records(let records, _)) = result {
                for record in records { peer.take(record) }
                add(records.map(peer.record))
            } else {
                add(peer.records())
            }
            finishIfDone()
        }
    }

    private func add(_ records: [SessionRecord]) {
        let fitting = records.filter { record in
            record.sessionId == sessionId && (agent == nil || agent == record.agent)
                && (tenant == nil || tenant == record.tenant)
        }
        // A list has all incarnations of a session, the newest first.
        for record in fitting.sorted(by: { $0.sid > $1.sid })
        where !found.contains(where: {
            $0.agent == record.agent && $0.tenant == record.tenant && $0.home == record.home
        }) {
            found.append(record)
        }
    }

    func finishIfDone() {
        guard missing == 0, let action else { return }
        self.action = nil
        action(.sessions(Array(found.prefix(ReadLimit.namesakes))))
    }
}

extension LogRequest {
    /// Nil for a query that no peer answers.
    fileprivate init?(_ query: ReadRequest.Query, sid: Int64) {
        switch query {
        case .incarnation: self = .incarnation(sid: sid)
        case .page(_, let from, let maxBytes): self = .page(sid: sid, from: from, maxBytes: maxBytes)
        case .timeline(_, let after, let through, let maxBytes, _):
            self = .timeline(sid: sid, after: after, through: through, maxBytes: maxBytes)
        case .updates(_, let start, let limit, let direction):
            self = .updates(sid: sid, start: start, limit: min(max(1, limit), 1000), direction: direction)
        case .position(_, let journal, let seq): self = .position(sid: sid, journal: journal, seq: seq)
        default: return nil
        }
    }
}
