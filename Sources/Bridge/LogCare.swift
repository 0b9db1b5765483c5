import EventLoop
import HubSharing
import LogAccess
import LogRetention
import PeerSharing
import Posix
import SessionLog
import SessionRecords
import SessionStore
import SessionStreams

/// Keeps the session log usable while the bridge runs: restores its files, deletes old sessions, ships it
/// to a hub, and warns of faults.
@LoopActor final class LogCare {
    private(set) var warnings: RunningWarnings
    private var keeper: LogKeeper?
    private var retention: RetentionWatch?
    /// Nil for a bridge that does not ship its log.
    private(set) var hub: HubShipper?
    /// Nil unless the bridge's words are stored at the hub.
    private(set) var hubIndexer: HubIndexer?
    /// Nil for a bridge that does not show the sessions of others.
    private(set) var hubLog: HubLog?
    private var follower: HubFollower?
    /// Nil for a bridge that does not show the sessions of others.
    private(set) var forwarder: HubForwarder?
    private var hubBridges: HubBridges?
    private var listTimer: Timer?
    /// Nil for a bridge without peers.
    private(set) var peers: PeerBridges?

    /// The lists of other bridges' sessions are computed again after this time, if somebody watches them.
    private static let listPause = Duration.seconds(2)

    /// - Parameter report: Called with a sentence for the user who runs the bridge.
    init(report: @escaping @Sendable (String) -> Void) { warnings = RunningWarnings(report: report) }

    func keepFiles(of log: LogClient, in home: Home, _ services: LoopServices) {
        keeper = LogKeeper(home, log, services: services)
        log.filesRestored = { [unowned self] in warnings.logWasRestored($0) }
    }

    func ship(_ registry: SessionRegistry, to hub: HubSettings, in home: Home, _ services: LoopServices) throws {
        self.hub = try HubShipper(
            hub, registry, oldDeletionsPath: home.hubDeletions, renewalPath: LogFile(path: home.log).renewalPath,
            services: services)
    }

    /// Stores the words of the shipped sessions at the hub.
    func shareSearch(_ registry: SessionRegistry, at hub: HubSettings, _ services: LoopServices) throws {
        guard let shipper = self.hub else { return }
        hubIndexer = try HubIndexer(hub, registry, after: shipper, services: services)
    }

    /// Shows the sessions of other bridges. Returns these bridges; nil unless the log is a hub's.
    ///
    /// - Parameters:
    ///   - changed: Called after a session that somebody reads has changed.
    ///   - listed: Called from time to time, because any session at the hub can have changed.
    func follow(
        _ registry: SessionRegistry, at hub: HubSettings, _ services: LoopServices,
        changed: @escaping @LoopActor (Session) -> Void, listed: @escaping @LoopActor () -> Void
    ) throws -> HubBridges? {
        guard let log = registry.log as? HubLog else { return nil }
        hubLog = log
        let follower = try HubFollower(hub, registry, log, services: services, changed: changed)
        self.follower = follower
        let forwarder = HubForwarder(follower, services: services)
        self.forwarder = forwarder
        hubBridges = HubBridges(forwarder, log)
        repeatListed(listed, services)
        return hubBridges
    }

    /// Shows the sessions of peers, and connects to them. Nil for a bridge without peers.
    func share(
        _ registry: SessionRegistry, _ services: LoopServices, _ changes: PeerBridges.Changes
    ) -> PeerBridges? {
        guard let log = registry.log as? PeerLog else { return nil }
        peers = PeerBridges(log, registry, services: services, changes)
        repeatListed(changes.listed, services)
        return peers
    }

    private func repeatListed(_ listed: @escaping @LoopActor () -> Void, _ services: LoopServices) {
        listTimer = services.timers.schedule(after: Self.listPause) { [weak self] in
            listed()
            self?.repeatListed(listed, services)
        }
    }

    func closeHub() {
        listTimer?.cancel()
        forwarder?.close()
        follower?.close()
        hubIndexer?.close()
        peers?.close()
        hub?.close()
    }

    func closeFiles() { keeper?.close() }

    /// - Parameters:
    ///   - forgot: Called for each session that was deleted.
    ///   - forgetFiles: Called at each check of a policy with an age, while the clock is trusted: stored files from
    ///     before this time, in milliseconds since 1970, must be deleted.
    func retain(
        _ policy: RetentionPolicy, _ registry: SessionRegistry, _ services: LoopServices,
        forgot: @escaping @LoopActor (Forgotten.Incarnation) -> Void,
        forgetFiles: @escaping @LoopActor (_ time: Int64) -> Void
    ) {
        let hub = hub
        retention = RetentionWatch(
            policy, registry, services: services, unshipped: { hub.map(\.unshippedSids) ?? [] }, forgot: forgot
        ) { [unowned self] lead in
            warnings.checkedClock(lead: lead)
            guard lead == .zero, let age = policy.age else { return }
            forgetFiles(services.time.dateMilliseconds - age.nanoseconds / 1_000_000)
        }
    }

    /// - Parameter fault: The reason why the key set of the issuer could not be fetched; nil if it was.
    func fetchedIssuerKeys(fault: String?) { warnings.fetchedIssuerKeys(fault: fault) }

    func stopRetention() { retention?.stop() }
}
