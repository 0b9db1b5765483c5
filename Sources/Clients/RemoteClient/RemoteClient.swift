import ACPMethods
import ACPRouting
import Access
import AgentProcess
import Agents
import EventLoop
import HTTP1
import JSONRPC
import JSONScan
import SessionRecords
import SessionStreams
import Tinyvex

/// The connection of a remote client, reduced to the members that its ACP messages need.
@LoopActor protocol RemoteClientConnection: LineConnection {
    var id: String { get }
    /// The client's identity and rights at this moment.
    var identity: Identity { get }
    /// Sends a notice of the bridge's own protocol, unless the client speaks only ACP.
    func notify(_ notice: [UInt8])
    /// Starts to send the updates of a session, beginning with the number `next`.
    ///
    /// - Parameter prepare: called with the new reader before it sends.
    func addReader(of session: Session, from next: Int64, prepare: (any UpdateReader) -> Void)
    /// Ends the reader of a session, if there is one.
    func removeReader(of session: Session)
    /// Sends all that is stored of a session. A reader of the session ends.
    ///
    /// - Parameters:
    ///   - addsPrompts: true if the agent does not send prompts as updates.
    ///   - action: called after that, with the number of the next update. Not called if the connection closes before.
    func sendHistory(of session: Session, addsPrompts: Bool, then action: @escaping @LoopActor (Int64) -> Void)
    /// Closes because the client's agent has ended. The reason contains the agent's exit status or signal.
    func closeAfterAgent(_ status: TerminationStatus)
    /// Closes because the agent does not read what the client sends, and too many bytes wait for it.
    func closeBeforeSlowAgent()
    /// Receives bytes of the standard error of the client's own agent. The bytes are valid only during the call.
    func agentWroteError(_ text: UnsafeRawBufferPointer)
}

extension RemoteClientConnection {
    func agentWroteError(_ text: UnsafeRawBufferPointer) {}
}

/// The bridge, reduced to the members that remote clients need.
@LoopActor protocol RemoteClientHost: AnyObject {
    var agents: AgentPool { get }
    var registry: SessionRegistry { get }
    var audit: AuditLog { get }
    var time: any TimeSource { get }
    var timers: any TimerScheduler { get }
    /// Returns the agents without an editor that match the client's address and tenant.
    func keptRuns(like address: RemoteClientAddress, for identity: Identity) -> [AgentRun]
    /// Returns the sessions of these agents, the most recently active first.
    func keptSessions(like address: RemoteClientAddress, for identity: Identity) -> [(run: AgentRun, session: Session)]
    /// Returns whether a client can make this agent its own.
    func mayBeTaken(_ run: AgentRun) -> Bool
    /// Ends the disconnected client that owns this agent, if there is one, after `action`.
    func replaceAbsentOwner(of run: AgentRun, by action: @LoopActor () -> Void)
    func summary(of record: SessionRecord) -> SessionSummary
    /// Records a client's answer to an agent's request in the audit log.
    func recordAnswer(
        to request: RequestID, _ outcome: JSONValue?, _ session: AuditEvent.SessionName, by identity: Identity)
}

/// A client that speaks ACP: decides which agent handles each of its requests, and starts, joins and takes over agents.
@LoopActor final class RemoteClient: AgentClient {
    typealias Place = AgentPlaces.Place

    var canControl: Bool { connection.identity.has(.control) }

    /// A request of the client that is forwarded to an agent.
    struct Request {
        let id: RequestID
        let method: String
        let params: JSONValue?

        var session: String? { params?["sessionId"]?.stringValue }
        /// Names the incarnation of the session: `"_meta":{"tinyvex":{"journal":"9f03c2aa-17-2"}}`. Nil for any.
        var journal: String? { params?["_meta"]?["tinyvex"]?["journal"]?.stringValue }
    }

    enum State {
        /// The client has not sent `initialize`.
        case new
        /// The client received the `initialize` result of a running agent. Its next request shows whether it wants that
        /// agent, another one or a new one.
        case undecided(initialize: JSONValue?)
        /// A new agent of the client's own is being initialized with the client's parameters. The client's requests
        /// wait until then.
        case starting
        case running
        /// The client's own agent has ended, or the one that it was taking over. The connection closes with the status
        /// after the client's loads have failed.
        case ended(TerminationStatus)
        /// The client has disconnected.
        case closed
    }

    /// The client's `initialize`.
    struct Announced {
        /// The version of ACP. Nil before the request, or if it has none.
        var version: Int64?
        /// Nil before the request.
        var capabilities: Set<ClientCapability>?
    }

    let host: any RemoteClientHost
    unowned let connection: any RemoteClientConnection
    let address: RemoteClientAddress
    var state = State.new
    private(set) var places = AgentPlaces()
    private(set) var asked = AskedRequests()
    var announced = Announced()
    /// The number of the bridge's own `initialize` requests to agents for this client, without an answer yet.
    private var openInitializations = 0
    /// The number of requests that wait until another agent has given their session up.
    var openReleases = 0
    /// The client's `initialize`, while its own agent has not answered it. Not part of a hand-over.
    private var initializing: RequestID?
    /// The requests for sessions of running agents that the bridge is answering.
    private var loads: [SessionLoad] = []
    /// Requests that wait until the client has an agent of its own: at most ``waitingLimit``.
    private var waiting: [Request] = []
    let lines: RemoteClientLines
    let followed: FollowedSessions
    private let listing: SessionListAnswers

    /// The number of requests that can wait for an agent to start.
    private static let waitingLimit = 64
    /// A request by which some clients check that the connection is alive. No version of ACP defines it.
    private static let pingMethod = "$/ping"

    /// - Parameter followsSessions: whether the client receives the updates of the sessions it opens without a
    ///   subscription, as ACP specifies.
    init(
        _ connection: any RemoteClientConnection, address: RemoteClientAddress, followsSessions: Bool,
        host: any RemoteClientHost
    ) {
        self.connection = connection
        self.address = address
        self.host = host
        lines = RemoteClientLines(connection)
        followed = FollowedSessions(connection, isEnabled: followsSessions, lines: lines, host: host)
        listing = SessionListAnswers(connection, address: address, lines: lines, host: host)
    }

    /// Called when the client has disconnected.
    func close() {
        let left = places.all
        (state, places, asked, loads, waiting) = (.closed, AgentPlaces(), AskedRequests(), [], [])
        for place in left {
            followed.forgetOpenings(of: place.run)
            place.run.dismiss(place.number)
        }
    }

    /// Leaves the agents that the client's new identity cannot see. Call after the client's tenant or rights have
    /// changed.
    func leaveWhatIsNotSeen() {
        for place in places.all where !connection.identity.maySee(tenant: place.run.tenant) {
            for load in loads where load.run === place.run && !load.isAnswered {
                refuse(load.request.id, Self.rightsHaveChanged)
            }
            loads.removeAll { $0.run === place.run }
            if forget(place.run) { state = .new }
            place.run.dismiss(place.number)
        }
        handleWaiting()
    }

    private static let rightsHaveChanged = Rejection(
        .unauthorized, "the request has ended, because the connection's rights have changed")

    func restore(_ state: State, _ places: AgentPlaces, _ asked: AskedRequests) {
        (self.state, self.places, self.asked) = (state, places, asked)
        for place in places.all { place.run.readmit(self, as: place.number) }
    }

    // MARK: From the client

    func handle(_ request: Request) {
        do throws(Rejection) {
            try connection.identity.require(.observe)
            if case .ended = state { throw Rejection(.invalidRequest, "the agent has ended") }
            if request.method == Self.pingMethod {
                connection.send(MessageText.response(id: request.id, rawResult: Array("{}".utf8)))
            } else if mustWait(request) {
                guard waiting.count < Self.waitingLimit else {
                    throw Rejection(.limitExceeded, "too many requests wait for the agent to start")
                }
                waiting.append(request)
            } else if let session = request.session, isUnproven(session, request.journal) {
                answer(request, of: session)
            } else {
                try answer(request)
            }
        } catch {
            refuse(request.id, error)
        }
    }

    /// Returns whether the request must wait until the client has its own agent. While the client takes an agent over,
    /// requests for the sessions of running agents do not need to wait.
    private func mustWait(_ request: Request) -> Bool {
        guard request.method != ACPMethod.initialize.name else { return false }
        if case .starting = state { return true }
        if waitsForHistory(request) { return true }
        guard isTakingOver else { return false }
        return request.session.flatMap { try? run(of: $0, request.journal) } == nil
    }

    /// Handles the requests that have waited. Those that must still wait are kept.
    func handleWaiting() {
        let requests = waiting
        waiting = []
        for request in requests { handle(request) }
    }

    /// Returns whether a tenant's client names a session that none of the tenant's agents runs. The agent could still
    /// know the session, as another tenant's.
    private func isUnproven(_ session: String, _ journal: String?) -> Bool {
        connection.identity.tenant != nil && places.own?.run.sessions?.sessions[session]?.isLive != true
            && (try? run(of: session, journal)) == nil
    }

    /// Answers the request if the log lists the session as the tenant's own.
    private func answer(_ request: Request, of session: String) {
        let reference = SessionReference(
            sessionId: session, agent: places.own?.run.name ?? address.namedAgent, journal: request.journal)
        host.registry.find(reference, of: connection.identity.tenant) { [weak self] found in
            guard let self else { return }
            if case .closed = state { return }
            do throws(Rejection) {
                _ = try found.get()
                try self.answer(request)
            } catch {
                self.refuse(request.id, error)
            }
        }
    }

    private func answer(_ request: Request) throws(Rejection) {
        omitHistory(before: request)
        switch ACPMethod(named: request.method) {
        case .initialize: try initialize(request)
        case .sessionLoad, .sessionResume:
            if try !resumeSession(request) {
                try checkIsFree(request)
                try pass(request, to: ownAgent(for: request))
            }
        case .sessionNew where address.session != nil && followed.isEnabled: try joinSession(request)
        case .sessionClose where leaveSession(request): break
        case .sessionList:
            if followed.isEnabled, places.own == nil, let (_, session) = try addressedSession() {
                return listing.answer(request, with: session)
            }
            if try !listing.answer(request, own: places.own?.run) { try pass(request, to: ownAgent(for: request)) }
        default:
            if isController, let refusal = ClientRefusal.ofLogin(request.method) {
                return connection.send(refusal.response(to: request.id, serverTs: now))
            }
            try pass(request, to: place(for: request))
        }
    }

    /// Throws if another agent of the same name is opening the session that the request would open in the client's own agent.
    private func checkIsFree(_ request: Request) throws(Rejection) {
        guard let session = request.session, let agent = ownName else { return }
        let tenant = places.own?.run.tenant ?? connection.identity.tenant
        let refusal = host.agents.refusal(toOpen: session, agent: agent, tenant: tenant, by: places.own?.run)
        if let refusal { throw refusal }
    }

    /// The name of the client's own agent, also before its start. Nil if the client has named no agent.
    var ownName: String? {
        if let own = places.own { return own.run.name }
        if let launch = address.launch { return AgentPool.name(of: launch) }
        if case .undecided(let params) = state { return agentName(params) }
        return address.namedAgent
    }

    /// - Parameter params: Those of the client's `initialize`.
    private func agentName(_ params: JSONValue?) -> String? {
        address.agent ?? params?["_meta"]?["tinyvex"]?["agent"]?.stringValue ?? address.onlyAgent
    }

    /// True if the client has no agent of its own, and has named a session of another client's agent.
    private var isController: Bool { places.own == nil && (address.session != nil || !places.joined.isEmpty) }

    /// Milliseconds since 1970.
    private var now: Int64 { host.time.dateMilliseconds }

    func refuse(_ id: RequestID, _ rejection: Rejection) {
        connection.send(rejection.response(to: id, serverTs: now))
    }

    func notify(_ method: String, _ params: JSONValue?) {
        guard canControl else { return }
        if method == ACPMethod.cancelRequest.name {
            // Only one of the agents has that request; the others ignore the notification.
            for place in places.all { notify(place, method, params) }
        } else if let place = params?["sessionId"]?.stringValue.flatMap({ try? place(holding: $0) }) ?? places.own {
            notify(place, method, params)
        }
    }

    private func notify(_ place: Place, _ method: String, _ params: JSONValue?) {
        // A notification cannot be refused.
        guard !place.run.isInputFull else { return connection.closeBeforeSlowAgent() }
        if method == ACPMethod.sessionCancel.name, let session = params?["sessionId"]?.stringValue {
            forgetPermissions(of: session, place)
        }
        place.run.sessions?.withRouter { $0.clientNotified(place.number, method, params, at: now) }
        if method == ACPMethod.sessionCancel.name { audit(params?["sessionId"]?.stringValue, place) { .cancelled($0) } }
    }

    /// Ignores the client's answers to the permission requests of a session that the client cancels. The bridge answers
    /// them.
    private func forgetPermissions(of session: String, _ place: Place) {
        let pending = place.run.sessions?.router.pendingPermissions ?? []
        asked.remove(Set(pending.filter { $0.session == session }.map(\.id)), of: place.run)
    }

    private func audit(_ session: String?, _ place: Place, _ event: (AuditEvent.SessionName) -> AuditEvent) {
        guard let session else { return }
        host.audit.record(
            event(.init(agent: place.run.name, sessionId: session)), by: connection.identity, connection: connection.id)
    }

    /// Handles the client's answer to an agent's request.
    func respond(_ id: RequestID, _ reply: Reply) {
        guard canControl, let request = asked.remove(id) else { return }
        let (place, original) = (request.place, request.id)
        guard !place.run.isInputFull else { return connection.closeBeforeSlowAgent() }
        let session = place.run.sessions?.router.sessionOfPending(original)
        do throws(PermissionFault) {
            try place.run.sessions?.withRouter { (router) throws(PermissionFault) in
                try router.clientAnswered(place.number, original, reply)
            }
            if let session {
                let result = reply.result.flatMap { try? JSONValue(validating: $0) }
                host.recordAnswer(
                    to: original, result?["outcome"] ?? result, .init(agent: place.run.name, sessionId: session),
                    by: connection.identity)
            }
        } catch {
            // The client can try again, unless another client has answered.
            if error != .notPending { asked.restore(request, as: id) }
            connection.notify(error.rejection.notification(serverTs: now))
        }
    }

    /// True while a client that only reads will receive an answer, or its own agent works on a turn. False if an agent
    /// waits for this client's answer: another client must give it.
    var awaitsAnswer: Bool {
        if isAnswering || !waiting.isEmpty { return true }
        guard asked.isEmpty else { return false }
        return places.own?.run.sessions?.router.hasRunningTurn == true
            || places.all.contains { $0.run.sessions?.router.owesAnswer(to: $0.number) == true }
    }

    /// True while a message to the client is in transit, or the bridge itself answers one of its requests.
    var isAnswering: Bool {
        !lines.isEmpty || openInitializations + openReleases > 0 || listing.isAsking || !loads.isEmpty
    }

    // MARK: From agents

    func childOpened(_ child: Session, of parent: Session, isNew: Bool) {
        followed.childOpened(child, of: parent, isNew: isNew)
    }

    func othersPrompted(_ params: [UInt8], in session: Session) {
        // The history has the prompt.
        guard !isLoading(session) else { return }
        followed.othersPrompted(params, in: session)
    }

    func agentSent(_ line: [UInt8], after session: Session?, of run: AgentRun) {
        guard let place = places[run] else { return }
        let value = try? JSONValue(validating: line)
        if let id = value?["id"].flatMap(RequestID.init) {
            guard value?["method"] != nil else { return deliverAnswer(line, id, value, after: session) }
            lines.send(asked.add(line, id, value, of: place), after: session)
        } else {
            lines.send(asked.withdraw(line, value, of: place), after: session)
        }
    }

    private func deliverAnswer(_ line: [UInt8], _ id: RequestID, _ value: JSONValue?, after session: Session?) {
        guard id == initializing, let value else { return followed.deliver(line, id, value, after: session) }
        initializing = nil
        lines.send(initialized(value) ?? line, after: session)
    }

    /// The agent's answer to `initialize` without the ways to log in that need a terminal on the agent's machine. Nil if it has
    /// none, and for an editor on this machine, which can start its command in a terminal.
    private func initialized(_ answer: JSONValue) -> [UInt8]? {
        guard address.launch == nil, let result = answer["result"].flatMap(LoginMethod.withoutTerminal) else {
            return nil
        }
        return answer.replacing("result", with: result)
    }

    func agentWroteError(_ text: UnsafeRawBufferPointer, of run: AgentRun) {
        if places.own?.run === run { connection.agentWroteError(text) }
    }

    func agentEnded(_ run: AgentRun, _ status: TerminationStatus) {
        for load in loads where load.run === run { load.runEnded = status }
        let isOwn = forget(run)
        guard isOwn || isForSession(of: run) else { return }
        state = followed.isEnabled ? .ended(status) : .new
        handleWaiting()
        closeIfEnded()
    }

    /// True if the client follows the session of its URL, which this agent runs, and has no agent of its own.
    private func isForSession(of run: AgentRun) -> Bool {
        guard followed.isEnabled, places.own == nil, let id = address.session,
            let session = run.sessions?.sessions[id]
        else { return false }
        return address.journal.map { Journal.nameSameIncarnation($0, session.journal) } ?? true
    }

    /// Closes the connection if the client's agent, or that of its URL's session, has ended. The answers to loads and all
    /// lines are sent before.
    private func closeIfEnded() {
        guard case .ended(let status) = state, loads.isEmpty else { return }
        lines.whenSent { [weak connection] in connection?.closeAfterAgent(status) }
    }

    // MARK: Loads

    /// True while the client has no agent of its own, but loads a session to take its agent over.
    private var isTakingOver: Bool { places.own == nil && loads.contains(where: \.takesOver) }

    /// Admits the client to the agent before the history is sent, so that it learns of the agent's end.
    func begin(_ load: SessionLoad) {
        if places[load.run] == nil {
            let place = admitted(to: load.run)
            places.join(place)
        }
        loads.append(load)
    }

    /// True until the load is finished, or the client has left the agent.
    func isUnfinished(_ load: SessionLoad) -> Bool { loads.contains { $0 === load } }

    /// True while a join of the request's session is not complete, because what the request causes must come after the
    /// history. A client that knows the id before can also send a request before the join is answered.
    private func waitsForHistory(_ request: Request) -> Bool {
        loads.contains { $0.isJoin && $0.session.id == request.session && ($0.pause == nil || !endsPause(request)) }
    }

    /// Returns the join of the session that waits before its history.
    func pausedJoin(of session: String?) -> SessionLoad? { loads.first { $0.pause != nil && $0.session.id == session } }

    /// True while the bridge answers a request for the session, or sends its history.
    func isLoading(_ session: Session) -> Bool { loads.contains { $0.session === session } }

    /// Ends a load after the history. `answer` sends the result, unless the agent has ended or the client can no longer
    /// see the session.
    func finish(_ load: SessionLoad, _ answer: () -> Void) {
        guard let index = loads.firstIndex(where: { $0 === load }) else { return }
        loads.remove(at: index)
        if let status = load.runEnded {
            if !load.isAnswered { refuse(load.request.id, Rejection(.internalError, load.run.endMessage(status))) }
            if load.takesOver, places.own == nil, !isTakingOver, followed.isEnabled { state = .ended(status) }
        } else {
            answer()
        }
        handleWaiting()
        closeIfEnded()
    }

    // MARK: Places

    /// Returns the place that must handle a request: with the agent of its session, or with the client's own agent.
    private func place(for request: Request) throws(Rejection) -> Place {
        guard let session = request.session else { return try ownAgent(for: request) }
        if let place = try place(holding: session, request.journal) { return place }
        if request.journal != nil { throw .noAgentRuns(session) }
        return try ownAgent(for: request)
    }

    /// Returns the place with the agent that runs the session. The client joins the session if it has not yet.
    private func place(holding session: String, _ journal: String? = nil) throws(Rejection) -> Place? {
        if journal == nil, let own = places.own, own.run.sessions?.sessions[session]?.isLive == true { return own }
        guard let run = try run(of: session, journal) else { return nil }
        try checkVersion(of: run, session)
        return join(run, session)
    }

    /// Returns the agent that runs the session. Among several incarnations of the URL's session, it is the one of the URL.
    func run(of session: String, _ journal: String?) throws(Rejection) -> AgentRun? {
        if journal == nil, session == address.session, let named = address.journal,
            let run = try host.agents.run(of: session, journal: named, for: connection.identity)
        {
            return run
        }
        return try host.agents.run(of: session, journal: journal, for: connection.identity)
    }

    /// Joins the agent. A client with the role `control` also receives the agent's requests about the session.
    @discardableResult
    func join(_ run: AgentRun, _ session: String, isPrimary: Bool = false) -> Place {
        let place = places[run] ?? admitted(to: run)
        if places.own == nil, isPrimary {
            places.makeOwn(place)
            state = .running
        } else {
            places.join(place)
        }
        if isPrimary { run.makePrimary(place.number, announcing: announced.capabilities) }
        if canControl {
            run.sessions?.withRouter { $0.clientJoined(place.number, session: session) }
        }
        return place
    }

    /// Leaves the agent of another client. The client gets no more updates of the session and its children.
    func leave(_ place: Place, _ session: Session) {
        for session in [session] + (place.run.sessions?.descendants(of: session.id) ?? []) {
            connection.removeReader(of: session)
        }
        _ = forget(place.run)
        place.run.dismiss(place.number)
    }

    /// Call when the client leaves an agent, or the agent has ended. Returns true if it was the client's own.
    private func forget(_ run: AgentRun) -> Bool {
        asked.removeAll(of: run)
        followed.forgetOpenings(of: run)
        return places.remove(run)
    }

    private func admitted(to run: AgentRun) -> Place {
        Place(run: run, number: run.admit(self, name: connection.identity.who))
    }

    /// Forwards a request to an agent. The agent's answer comes back with the id that the client chose.
    func pass(_ request: Request, to place: Place) throws(Rejection) {
        try connection.identity.require(.control)
        do throws(ClientRefusal) {
            guard !place.run.isInputFull else { throw .inputIsFull }
            try place.run.sessions?.withRouter { (router) throws(ClientRefusal) in
                try router.clientRequested(
                    place.number, request.id, request.method, request.params, at: now)
            }
            followed.noteOpening(request, of: place.run)
            if request.method == ACPMethod.sessionPrompt.name { audit(request.session, place) { .prompted($0) } }
            place.run.reconsider()
        } catch {
            connection.send(error.response(to: request.id, serverTs: now))
        }
    }

    // MARK: The client's own agent

    private func initialize(_ request: Request) throws(Rejection) {
        guard case .new = state else { throw Rejection(.invalidRequest, "initialize was sent before") }
        announced = Announced(
            version: request.params?["protocolVersion"]?.int64Value,
            capabilities: ClientCapability.announced(in: request.params))
        if let known = try knownAgent(), let result = known.sessions?.initializeResult {
            state = .undecided(initialize: request.params)
            let answer = MessageText.response(id: request.id, rawResult: result)
            connection.send((try? JSONValue(validating: answer)).flatMap(initialized) ?? answer)
        } else {
            let place = try startAgent(request.params)
            state = .running
            initializing = request.id
            try pass(request, to: place)
        }
    }

    /// Returns a running agent that can be the one the client wants.
    private func knownAgent() throws(Rejection) -> AgentRun? {
        if let session = address.session {
            guard let run = try run(of: session, nil) else { throw .noAgentRuns(session) }
            try checkVersion(of: run, session)
            return run
        }
        return host.keptRuns(like: address, for: connection.identity).first { $0.speaks(version: announced.version) }
    }

    /// Throws if the agent of a session and the client have negotiated different versions of ACP. Messages are not converted.
    func checkVersion(of run: AgentRun, _ session: String) throws(Rejection) {
        if let refusal = versionRefusal(of: run, session) { throw refusal }
    }

    /// The error for a session of an agent with another version of ACP. The client speaks the version that its own agent has
    /// chosen.
    func versionRefusal(of run: AgentRun, _ session: String) -> Rejection? {
        run.versionRefusal(
            for: places.own?.run.protocolVersion ?? announced.version, of: session, joins: ownName != run.name)
    }

    private func startAgent(_ params: JSONValue?) throws(Rejection) -> Place {
        try connection.identity.require(.control)
        let run = try host.agents.start(agentName(params), launch: address.launch, for: connection.identity)
        let place = Place(run: run, number: run.admit(self, name: connection.identity.who, isPrimary: true))
        places.makeOwn(place)
        return place
    }

    /// Returns the client's own agent. If it was not started yet, starts it with the client's `initialize` parameters;
    /// requests that come meanwhile wait until it has answered.
    func ownAgent(for request: Request) throws(Rejection) -> Place {
        if let own = places.own { return own }
        guard case .undecided(let params) = state else {
            throw Rejection(
                .invalidRequest, "\(request.method): there is no agent yet; begin with initialize, or name a session")
        }
        if let session = address.session, ownName == nil {
            throw try run(of: session, nil) == nil
                ? .noAgentRuns(session)
                : Rejection(
                    .readOnly,
                    "\(request.method): this connection is for the session \(quoted(session)), and only the primary of its "
                        + "agent can send this", rpcCode: .invalidRequest)
        }
        let place = try startAgent(params)
        state = .starting
        openInitializations += 1
        place.run.ask(ACPMethod.initialize.name, params, by: connection.identity.who) { [weak self] _ in
            self?.openInitializations -= 1
            self?.wasInitialized(place.run)
        }
        return place
    }

    /// The agent has answered `initialize`. If it has ended instead, `agentEnded` follows, which handles the waiting requests.
    private func wasInitialized(_ run: AgentRun) {
        guard case .starting = state, places.own?.run === run, !run.isEnding else { return }
        state = .running
        handleWaiting()
    }
}

extension ClientRefusal {
    /// The error response. If a turn is running, it includes the turn's start time and its client.
    func response(to id: RequestID, serverTs: Int64) -> [UInt8] {
        MessageText.errorResponse(id: id, code: .invalidRequest, message: message) { writer in
            writer.member("serverTs", serverTs)
            switch reason {
            case .turnIsRunning(let since, let by):
                writer.member("turnRunningSince", since)
                writer.member("turnBy", by ?? "editor")
            case .queueIsFull, .tooManyRequests, .inputIsFull:
                writer.member("code", TinyvexErrorCode.limitExceeded.rawValue)
            case .idInUse, .idTooLong, .childSession: break
            case .notYourAgent: writer.member("code", TinyvexErrorCode.readOnly.rawValue)
            }
        }
    }
}
