import Access
import Agents
import EventLoop
import FileStore
import JSONScan
import LiveQueries
import Posix
import Searching
import SessionRecords
import SessionStarts
import SessionStreams
import Tinyvex

/// The services of the bridge that functions need but that are implemented in a higher layer.
@LoopActor package protocol FunctionHost: AnyObject {
    /// The value of `bridge:status` as JSON text.
    func statusValue() -> [UInt8]
    /// Stops the bridge and its agents.
    func stop()
    /// `bridge:replace`: finishes just before the new program takes over, or as soon as the replacement fails.
    func replace(_ arguments: Parameters, by identity: Identity, then finish: @escaping CompletionHandler)
        throws(Rejection)
    /// The number of open connections that were admitted with each token.
    var connectionsByToken: [String: Int] { get }
    /// Closes the connections with an expired or revoked identity.
    func dismissExpired()
    /// A person has this session on a screen.
    func viewed(_ session: Session)
    /// `sessions:mute`
    func mute(_ session: Session, _ isMuted: Bool, by identity: Identity) throws(Rejection)
    /// Whether a tenant's people have muted the session; nil if the bridge sends no notifications of it.
    func isMuted(_ session: Session, tenant: String?) -> Bool?
    /// `notifications:test`, or `push:test` with the id of a registration.
    func testNotifications(of registration: String?, by identity: Identity, then finish: @escaping CompletionHandler)
    /// `push:list`
    func pushRegistrations(of tenant: String?) -> [UInt8]
    /// `push:register` and `push:unregister`
    func changePushRegistration(
        _ mutation: MutationName, _ arguments: Parameters, by identity: Identity
    ) throws(Rejection) -> [UInt8]
}

/// Calls queries, mutations and actions by name. All protocols call them here, and their access rights are checked only
/// here.
///
/// `finish` is called once, immediately or later, with the value as JSON text. The caller must call
/// ``FunctionResponse/afterwards`` after the response has been sent.
@LoopActor package final class Functions {
    package private(set) var sessions: SessionQueries
    package let agents: AgentFunctions
    package private(set) lazy var queries = QueryHub(services: services) { [unowned self] key, params, finish in
        compute(key, params, then: finish)
    }
    package var files: FileFunctions { agents.files }
    private lazy var sessionMutations = SessionMutations(
        registry: registry, agents: agents, folds: sessions.folds, audit: audit
    ) { [unowned self] in
        registry.onChange($0, $1)
    } forgotten: { [unowned self] sid in
        finder?.forget(sid, isAtOnce: true)
        tokens.revokeShares(ofSid: sid)
    } mute: { [unowned self] (session, isMuted, identity) throws(Rejection) in
        guard let host else { throw .noBridge }
        try host.mute(session, isMuted, by: identity)
    } changePush: { [unowned self] (mutation, arguments, identity) throws(Rejection) in
        guard let host else { throw .noBridge }
        return try host.changePushRegistration(mutation, arguments, by: identity)
    }
    private let mutations: MutationQueue
    private let imports: SessionImports
    private let starter: SessionStarter
    package private(set) var tokens: TokenFunctions
    private let registry: SessionRegistry
    private let pool: AgentPool
    private let audit: AuditLog
    /// The bridge, which sets itself after it has created this object. Without it, the functions of the bridge fail.
    package weak var host: (any FunctionHost)? {
        didSet { tokens.host = host }
    }
    /// Called when an import has added or removed the session with this place in the log. No ``Session`` reports it.
    package var onImport: @LoopActor (_ sid: Int64, SessionRegistry.SessionChange) -> Void = { _, _ in }
    private let services: LoopServices
    /// The full-text search; nil if the bridge runs without it.
    package var finder: SessionFinder?
    /// The bridges to which calls are forwarded; nil if this bridge shows no others.
    package var otherBridges: (any OtherBridges)? {
        get { agents.forwarding.others }
        set { agents.forwarding.others = newValue }
    }
    /// The name of this bridge in the lists of other bridges.
    package var bridgeName: String {
        get { sessions.logReads.bridgeName }
        set { sessions.logReads.bridgeName = newValue }
    }

    package init(
        registry: SessionRegistry, agents pool: AgentPool, audit: AuditLog, authenticator: Authenticator,
        files: FileStore,
        profiles: @escaping @Sendable () -> [ProfileSummary], services: LoopServices = .main
    ) {
        self.registry = registry
        self.pool = pool
        self.audit = audit
        self.services = services
        mutations = MutationQueue(services: services)
        let presence = SessionPresence(services: services)
        let histories = HistoryReads(timers: services.timers)
        let forwarding = Forwarding(registry, audit)
        sessions = SessionQueries(
            registry: registry, agents: pool, forwarding: forwarding, folds: SessionFolds(log: registry.log),
            presence: presence,
            exports: ExportQueue(services), histories: histories,
            logReads: LogReads(registry, histories, services: services))
        agents = AgentFunctions(
            agents: pool, audit: audit,
            files: FileFunctions(store: files, authenticator: authenticator, audit: audit, services: services),
            profiles: profiles, forwarding: forwarding)
        tokens = TokenFunctions(authenticator: authenticator, audit: audit)
        imports = SessionImports(registry: registry, audit: audit, services: services)
        starter = SessionStarter(agents: pool, registry: registry, audit: audit, services: services)
        sessions.logReads.queue = { [unowned pool] in pool.queue(of: $0) }
        sessions.isMuted = { [weak self] in self?.host?.isMuted($0, tenant: $1) }
        agents.files.changed = { [weak self] in self?.queries.touch(.files) }
        presence.changed = { [weak self] in self?.queries.touch(.session(id: $0)) }
        imports.changed = { [unowned self] sid, change in
            queries.touch(.sessions)
            sessions.logReads.noteChange(sid: sid)
            finder?.sessionsImported()
            onImport(sid, change)
        }
    }

    // MARK: Changes

    /// Recomputes the watched values that depend on a session.
    package func noteChange(of session: Session, _ change: SessionRegistry.SessionChange) {
        let queries = queries
        // Most updates change nothing about what must be computed, so they cost no look-up.
        if change != .progress || session.notedRound != queries.round {
            queries.touch(.sessions)
            queries.touch(.session(id: session.id))
            session.notedRound = queries.round
        }
        finder?.touch(session)
        sessions.logReads.noteChange(sid: session.sid)
        guard change != .progress else { return }
        queries.touch(.permissions)
        guard change == .facts || change == .deleted else { return }
        queries.touch(.agents)
        pool.noteAlive()
    }

    /// Recomputes the watched values that depend on a session of another bridge.
    package func noteFollowed(_ session: Session) {
        queries.touch(.sessions)
        queries.touch(.session(id: session.id))
    }

    /// Recomputes the watched lists of sessions, because those of other bridges can have changed.
    package func noteListed() { queries.touch(.sessions) }

    /// Recomputes the watched lists of open requests, and of sessions that wait for a person, because those of other bridges
    /// can have changed.
    package func notePending() { queries.touch(.permissions) }

    /// Notifies the readers of a session that retention has deleted, in the same way as if a user had deleted it.
    package func forgot(_ incarnation: Forgotten.Incarnation) {
        registry.known(sid: incarnation.sid)?.deleted()
        sessions.folds.forget(incarnation.sid)
        finder?.forget(incarnation.sid, isAtOnce: false)
        sessions.logReads.noteChange(sid: incarnation.sid)
        tokens.revokeShares(ofSid: incarnation.sid)
        audit.record(.forgotten(.init(agent: incarnation.agent, sessionId: incarnation.sessionId)), by: .retention)
        queries.touch(.sessions)
        queries.touch(.session(id: incarnation.sessionId))
    }

    // MARK: Calls

    /// Computes the current value of a query.
    package func query(
        _ name: String, _ params: Parameters, for identity: Identity, then finish: @escaping CompletionHandler
    ) {
        do throws(Rejection) {
            guard let query = QueryName(rawValue: name) else { throw .unknownSubscription(name) }
            try Self.require(.query, name, of: identity)
            let params = try identity.narrowed(name, params)
            let key = try QueryKey(query, params, tenant: identity.tenant)
            compute(key, params) { finish($0.map { FunctionResponse(result: $0) }) }
        } catch {
            finish(.failure(error))
        }
    }

    /// Runs a mutation after the earlier ones have finished. If its `requestId` is a repetition, the mutation does not
    /// run again and returns the outcome of the first call.
    package func mutate(_ call: CallRequest, for identity: Identity, then finish: @escaping CompletionHandler) {
        do throws(Rejection) {
            guard let mutation = MutationName(rawValue: call.name) else { throw .unknownFunction(.mutation, call.name) }
            try Self.require(.mutation, call.name, of: identity)
            let arguments = try identity.narrowed(call.name, call.arguments)
            agents.forwarding.route(.mutation, call, arguments, for: identity) { [self] in
                mutateHere(mutation, call, arguments, for: identity, then: finish)
            } then: {
                finish($0)
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func mutateHere(
        _ mutation: MutationName, _ call: CallRequest, _ arguments: Parameters, for identity: Identity,
        then finish: @escaping CompletionHandler
    ) {
        // A person's answer to the agent does not wait for another client's change of the log.
        let waits = mutation != .permissionsAnswer && mutation != .elicitationsAnswer
        mutations.submit(call, by: identity, waits: waits) { [self] done in
            sessionMutations.perform(mutation, arguments, for: identity) { outcome in
                guard case .failure(let rejection) = outcome else { return done(outcome) }
                self.explain(rejection, arguments, identity) { done(.failure($0)) }
            }
        } then: { outcome in
            finish(outcome.map { FunctionResponse(result: $0) })
        }
    }

    /// Performs an action.
    ///
    /// - Parameter placed: called when an action whose answer depends on an agent or on a change of a session has its
    ///   place in the order of the calls, so that the next call can begin before the answer.
    package func act(
        _ call: CallRequest, for identity: Identity, placed: @escaping @LoopActor () -> Void = {},
        then finish: @escaping CompletionHandler
    ) {
        do throws(Rejection) {
            guard let action = ActionName(rawValue: call.name) else { throw .unknownFunction(.action, call.name) }
            try Self.require(.action, call.name, of: identity)
            let arguments = try identity.narrowed(call.name, call.arguments)
            if try action.canNameBridge(arguments),
                let bridge = try agents.forwarding.bridge(arguments, ownName: bridgeName)
            {
                return try agents.forwarding.send(
                    call, arguments, to: bridge, for: identity, sent: placed, then: finish)
            }
            agents.forwarding.route(.action, call, arguments, for: identity, sent: placed) { [self] in
                actHere(action, arguments, for: identity, placed: placed, then: finish)
            } then: {
                finish($0)
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func actHere(
        _ action: ActionName, _ arguments: Parameters, for identity: Identity,
        placed: @escaping @LoopActor () -> Void, then finish: @escaping CompletionHandler
    ) {
        do throws(Rejection) {
            try perform(action, arguments, for: identity, placed: placed, then: finish)
        } catch {
            explain(error, arguments, identity) { finish(.failure($0)) }
        }
    }

    /// Names the bridge that has a session, if no agent of this bridge runs it. Several bridges can have one.
    private func explain(
        _ rejection: Rejection, _ arguments: Parameters, _ identity: Identity,
        then finish: @escaping @LoopActor (Rejection) -> Void
    ) {
        let reference = try? SessionReference(arguments)
        guard rejection.code == .sessionNotFound, let reference, registry.log.own !== registry.log else {
            return finish(rejection)
        }
        registry.find(reference, of: identity.tenant) { found in
            switch found {
            case .success(let session): finish(session.otherBridge ?? rejection)
            case .failure(let other):
                let isKnown = other.code == .sessionNotFound && other.rpcCode != .internalError
                finish(isKnown ? rejection : other)
            }
        }
    }

    package static func require(
        _ kind: FunctionDescription.Kind, _ name: String, of identity: Identity
    ) throws(Rejection) {
        guard let function = Catalogue.function(kind, name) else { throw .unknownFunction(kind, name) }
        try identity.require(function.role)
    }

    // MARK: Functions by name

    /// Computes a value for everyone who can see the data that the key names. ``QueryHub`` computes watched values with
    /// this function.
    func compute(
        _ key: QueryKey, _ params: Parameters, then finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        switch key.name {
        case .sessionsList: sessions.list(params, tenant: key.tenant, then: finish)
        case .sessionsGet: sessions.get(params, tenant: key.tenant, then: finish)
        case .sessionsSearch:
            guard let finder else { return finish(.failure(.noSearch)) }
            finder.search(params, tenant: key.tenant, then: finish)
        case .usageByDay:
            UsageQuery(registry: registry, forwarding: agents.forwarding)
                .compute(params, tenant: key.tenant, then: finish)
        case .agentsList:
            listAgents(params, key.tenant, then: finish)
        case .permissionsPending:
            withOthers(.permissions, key.tenant, finish) { [agents] (others) throws(Rejection) in
                try agents.permissionsValue(params, tenant: key.tenant, others: others)
            }
        case .elicitationsPending:
            withOthers(.elicitations, key.tenant, finish) { [agents] (others) throws(Rejection) in
                try agents.elicitationsValue(params, tenant: key.tenant, others: others)
            }
        case .filesGet: agents.files.get(params, tenant: key.tenant, then: finish)
        case .filesList: agents.files.list(params, tenant: key.tenant, then: finish)
        case .pushList:
            guard let host else { return finish(.failure(.noBridge)) }
            finish(.success(host.pushRegistrations(of: key.tenant)))
        case .bridgeStatus:
            guard key.tenant == nil else { return finish(.failure(.notATenants)) }
            guard let host else { return finish(.failure(.noBridge)) }
            finish(.success(host.statusValue()))
        }
    }

    /// Computes the value of `agents:list`, of this bridge or of the one that the params name.
    private func listAgents(
        _ params: Parameters, _ tenant: String?, then finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        do throws(Rejection) {
            guard let bridge = try agents.forwarding.bridge(params, ownName: bridgeName) else {
                return finish(.success(try agents.agentsValue(params, tenant: tenant, ownName: bridgeName)))
            }
            try agents.forwarding.profiles(of: bridge, tenant: tenant) { outcome in
                finish(outcome.map(AgentFunctions.agentsValue))
            }
        } catch {
            finish(.failure(error))
        }
    }

    /// Computes a list of open requests with those of other bridges.
    private func withOthers(
        _ list: PendingList, _ tenant: String?, _ finish: @escaping @LoopActor (QueryOutcome) -> Void,
        value: @escaping @LoopActor ([PendingRow]) throws(Rejection) -> [UInt8]
    ) {
        agents.forwarding.pending([list], tenant: tenant) { others in
            finish(Self.outcome { () throws(Rejection) in try value(others) })
        }
    }

    /// `sessions:view`
    private func view(_ arguments: Parameters, by identity: Identity) throws(Rejection) -> FunctionResponse {
        let session = try agents.viewedSession(arguments, by: identity)
        if let sid = session.sid {
            sessions.presence.viewed(
                .init(sid: sid, sessionId: session.id), by: identity, name: tokens.name(of: identity))
        }
        // It delays notifications of others.
        if identity.has(.control) { host?.viewed(session) }
        let value = JSONWriter.object { writer in
            writer.member("viewed", true)
            writer.member("who", identity.who)
        }
        return FunctionResponse(result: value)
    }

    private static func outcome(_ value: () throws(Rejection) -> [UInt8]) -> QueryOutcome {
        do throws(Rejection) { return .success(try value()) } catch { return .failure(error) }
    }

    /// `sessions:share`
    private func share(
        _ arguments: Parameters, by identity: Identity, then finish: @escaping CompletionHandler
    ) throws(Rejection) {
        let order = try ShareOrder(arguments)
        if order.role > .observe { try identity.require(order.role) }
        registry.find(try SessionReference(arguments), of: identity.tenant) { [self] found in
            finish(
                found.flatMap { session in
                    Result { () throws(Rejection) in
                        if let rejection = session.otherBridge { throw rejection }
                        return try tokens.share(
                            order, SharedSession(agent: session.agent, sessionId: session.id, journal: session.journal),
                            by: identity, at: services.time.now)
                    }
                })
        }
    }

    private func perform(
        _ action: ActionName, _ arguments: Parameters, for identity: Identity,
        placed: @escaping @LoopActor () -> Void, then finish: @escaping CompletionHandler
    ) throws(Rejection) {
        switch action {
        case .sessionsBegin:
            try starter.begin(arguments, by: identity, placed: placed) {
                finish($0.map { FunctionResponse(result: $0) })
            }
        case .sessionsResume:
            try starter.resume(arguments, by: identity, placed: placed) {
                finish($0.map { FunctionResponse(result: $0) })
            }
        case .sessionsPrompt: try agents.prompt(arguments, by: identity, placed: placed, then: finish)
        case .sessionsCancel: finish(.success(try agents.cancel(arguments, by: identity)))
        case .sessionsClose: try agents.close(arguments, by: identity, placed: placed, then: finish)
        case .sessionsUnqueue: finish(.success(try agents.unqueue(arguments, by: identity)))
        case .sessionsExport: sessions.export(try ExportRequest(arguments), for: identity, then: finish)
        case .sessionsImport: imports.add(try ImportRequest(arguments), by: identity, then: finish)
        case .sessionsView:
            finish(.success(try view(arguments, by: identity)))
        case .notificationsTest, .pushTest:
            guard let host else { throw .noBridge }
            let id = action == .pushTest ? try arguments.string("id") : nil
            host.testNotifications(of: id, by: identity, then: finish)
        case .sessionsShare: try share(arguments, by: identity, then: finish)
        case .logRead:
            sessions.logReads.read(arguments, for: identity, placed: placed, then: finish)
        case .agentsStop: finish(.success(try agents.stopAgent(arguments, by: identity)))
        case .bridgeStop:
            let value = JSONWriter.object { $0.member("stopping", true) }
            audit.record(.stopped, by: identity)
            finish(.success(FunctionResponse(result: value) { [weak host] in host?.stop() }))
        case .bridgeReplace:
            guard let host else { throw .noBridge }
            try host.replace(arguments, by: identity, then: finish)
        case .codesCreate:
            finish(.success(try tokens.issueCode(arguments, by: identity, at: services.time.now)))
        case .tokensCreate: finish(.success(try tokens.issueToken(arguments, by: identity)))
        case .tokensList: finish(.success(FunctionResponse(result: tokens.tokensValue())))
        case .tokensRevoke: finish(.success(try tokens.revokeToken(arguments, by: identity)))
        }
    }
}

extension Rejection {
    fileprivate static let noBridge = Rejection(.limitExceeded, "the bridge is starting", rpcCode: .internalError)
    fileprivate static let noSearch = Rejection(
        .mutationFailed, "this bridge runs without search; start it without `--no-search`", rpcCode: .invalidRequest)
    fileprivate static let notATenants = Rejection(
        .readOnly, "this function concerns the whole bridge, which several tenants share", rpcCode: .invalidRequest)
}

extension ActionName {
    /// True for a call that can concern another bridge and no session there. Other calls concern the bridge of their session.
    fileprivate func canNameBridge(_ arguments: Parameters) throws(Rejection) -> Bool {
        switch self {
        case .sessionsBegin: return true
        case .agentsStop:
            guard arguments.value("bridge") == nil || arguments.value("pid") == nil else {
                throw .invalidParams("pid: a process of this bridge only; leave `bridge` out, or name the `start`")
            }
            return arguments.value("start") != nil
        default: return false
        }
    }
}

extension Identity {
    fileprivate static let retention = Identity(who: "retention", role: nil)
}
