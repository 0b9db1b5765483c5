import ACPMethods
import ACPRouting
import Access
import EventLoop
import JSONScan

/// How a kept agent gives up a session in which nothing happens.
enum SessionRelease {
    /// The agent has no other session and no client, and ends.
    case endsAgent
    /// The agent closes the session, and continues with the others.
    case closesSession
}

extension AgentRun {
    /// How the agent can give up a session, so that another agent can open it. Nil if it cannot, or if a client or work of the
    /// agent would lose something.
    func release(of session: String) -> SessionRelease? {
        guard isKept, !isStarting, !isInputFull, let sessions, let released = sessions.sessions[session],
            released.isLive, released.parentId == nil, sessions.router.isIdle(in: session),
            !sessions.router.isFollowed(session)
        else { return nil }
        let hasOthers = sessions.sessions.values.contains { $0.isLive && $0.parentId == nil && $0 !== released }
        if !hasOthers, remoteClients.isEmpty, sessions.router.isIdle { return .endsAgent }
        return ACPMethod.canCloseSessions(initializeResult: sessions.initializeResult) ? .closesSession : nil
    }

    /// True if the agent can give up a session, so that another agent can open it.
    package func canRelease(_ session: String) -> Bool { release(of: session) != nil }

    /// True if the agent can continue sessions, and can be asked which.
    fileprivate var continuesListedSessions: Bool {
        guard !isEnding, !isInputFull, ACPMethod.canListSessions(initializeResult: sessions?.initializeResult),
            let result = sessions?.initializeResult.flatMap({ try? JSONValue(validating: $0) })
        else { return false }
        return ACPMethod.continuing(afterInitialize: result) != nil
    }
}

/// The sessions that kept agents are giving up: at most one for each of their sessions.
///
/// The agent that asks for a session must list it first: another agent's session is not ended for one that does not know it.
@LoopActor final class SessionReleases {
    typealias Completion = @LoopActor (_ isFree: Bool) -> Void

    private final class Release {
        let session: String
        let run: AgentRun
        let own: AgentRun
        let finish: Completion
        /// True while the agent ends, which has limits of its own.
        var endsAgent = false

        init(_ session: String, of run: AgentRun, to own: AgentRun, _ finish: @escaping Completion) {
            (self.session, self.run, self.own, self.finish) = (session, run, own, finish)
        }
    }

    private var current: [Release] = []
    private let timers: any TimerScheduler
    private let audit: AuditLog

    /// The time in which both agents must answer. Neither has work to do for it.
    private static let patience = Duration.seconds(10)
    /// The newest sessions come first, so the session is nearly always on the first page.
    private static let pageLimit = 20

    init(_ timers: any TimerScheduler, _ audit: AuditLog) { (self.timers, self.audit) = (timers, audit) }

    /// True if an agent of this name and tenant is giving up a session.
    func isAny(of agent: String, tenant: String?) -> Bool {
        current.contains { $0.run.name == agent && $0.run.tenant == tenant }
    }

    /// True if an agent of this name and tenant is giving up this session.
    func contains(_ session: String, of agent: String, tenant: String?) -> Bool {
        current.contains { $0.session == session && $0.run.name == agent && $0.run.tenant == tenant }
    }

    /// Has the agent give up the session. `finish` is called once and later, unless the bridge stops.
    func begin(
        _ session: String, of run: AgentRun, to own: AgentRun, for identity: Identity, then finish: @escaping Completion
    ) {
        let release = Release(session, of: run, to: own, finish)
        current.append(release)
        timers.schedule(after: Self.patience) { [weak self, weak release] in
            if let release, !release.endsAgent { self?.finish(release, isFree: false) }
        }
        find(release, cursor: nil, page: 1, for: identity)
    }

    /// Looks for the session in the list of the agent that is to continue it.
    private func find(_ release: Release, cursor: String?, page: Int, for identity: Identity) {
        let params = JSONWriter.object { $0.member("cursor", ifPresent: cursor) }
        ask(release, release.own, .sessionList, params) { releases, release, result in
            let ids = result?["sessions"]?.elements.compactMap { $0["sessionId"]?.stringValue } ?? []
            if ids.contains(release.session) { return releases.perform(release, for: identity) }
            guard let next = result?["nextCursor"]?.stringValue, page < Self.pageLimit else {
                return releases.finish(release, isFree: false)
            }
            releases.find(release, cursor: next, page: page + 1, for: identity)
        }
    }

    private func perform(_ release: Release, for identity: Identity) {
        let (session, run) = (release.session, release.run)
        // Work can have begun since the request.
        switch run.release(of: session) {
        case nil: finish(release, isFree: false)
        case .endsAgent:
            audit.record(.agentStopped(agent: run.name, pid: run.pid), by: identity)
            release.endsAgent = true
            run.end()
        case .closesSession:
            audit.record(
                .called(function: ACPMethod.sessionClose.name, .init(agent: run.name, sessionId: session)), by: identity
            )
            let params = JSONWriter.object { $0.member("sessionId", session) }
            ask(release, run, .sessionClose, params) { releases, release, result in
                releases.finish(release, isFree: result != nil)
                release.run.endIfUnused()
            }
        }
    }

    /// Sends a request for a release that continues. The end of an agent is reported when its sessions have ended.
    private func ask(
        _ release: Release, _ run: AgentRun, _ method: ACPMethod, _ params: [UInt8],
        then take: @escaping @LoopActor (SessionReleases, Release, _ result: JSONValue?) -> Void
    ) {
        run.ask(method.name, try? JSONValue(validating: params), by: "acpbridge") { [weak self, weak release] reply in
            guard let self, let release, run.exit == nil, current.contains(where: { $0 === release }) else { return }
            take(self, release, reply.result.flatMap { try? JSONValue(validating: $0) })
        }
    }

    /// Call after an agent has ended and left the pool.
    func ended(_ run: AgentRun) {
        for release in current where release.run === run || release.own === run {
            finish(release, isFree: release.run === run)
        }
    }

    private func finish(_ release: Release, isFree: Bool) {
        guard let index = current.firstIndex(where: { $0 === release }) else { return }
        current.remove(at: index)
        release.finish(isFree)
    }
}

extension AgentPool {
    /// True if an agent can give up the session, so that `own` can continue it in another version of ACP.
    func canRelease(_ session: String, of run: AgentRun, to own: AgentRun) -> Bool {
        own.continuesListedSessions && own.name == run.name && own.tenant == run.tenant && run.canRelease(session)
            && !releases.contains(session, of: run.name, tenant: run.tenant)
    }

    /// Has an agent give up a session that it runs in another version of ACP than `own`. Returns false if it cannot.
    ///
    /// - Parameter finish: Called later, unless the bridge stops: with true if the session is free, and with false if `own`
    ///   does not list it, if work has begun, or if the agent refuses to close it.
    package func release(
        _ session: String, of run: AgentRun, to own: AgentRun, for identity: Identity,
        then finish: @escaping @LoopActor (_ isFree: Bool) -> Void
    ) -> Bool {
        guard canRelease(session, of: run, to: own) else { return false }
        releases.begin(session, of: run, to: own, for: identity, then: finish)
        return true
    }
}
