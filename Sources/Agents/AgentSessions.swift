import ACPRouting
import Access
import Diagnostics
import EventLoop
import FieldLimits
import JSONRPC
import JSONScan
import Posix
import SessionRecords
import SessionStreams
import Tinyvex

/// Splits the traffic between an agent and its editor into sessions. Each `session/update` goes to its session's log;
/// other messages that an observer needs go to the session's timeline.
@LoopActor package final class AgentSessions {
    /// The number of the agent's lines that went to the editor but were not published. Such a line is invalid JSON,
    /// repeats an envelope key, is an array that is not read as messages, is too long, exceeds the limit of sessions, or has a session id that is too long.
    package private(set) var unpublishedLines = 0
    /// True if, as of the last chunk, more bytes wait for storage than the memory limit allows. The agent must not be
    /// read then.
    private(set) var isTooFarBehind = false
    package var router: RequestRouter { routing.router }
    private let routing: Routing
    /// Called when fewer bytes wait for storage than before. Set once, before the first line.
    var drained: @LoopActor () -> Void = {}
    /// Receives the messages for the agent, its editor and its remote clients. Set once, before the first line.
    var deliver: @LoopActor (RequestRouter.Delivery) -> Void = { _ in }
    /// The editor's requests for sessions that other agents run.
    let openings: EditorOpenings

    private let identity: AgentIdentity
    private let registry: SessionRegistry
    private let time: any TimeSource
    private var agentLines: LineSplitter
    private var editorLines: LineSplitter
    private let table = SessionTable()
    private var setups = AgentSetups()
    /// Earlier sessions that the agent was asked to continue and has not accepted yet.
    private var continuations = Continuations()

    init(of identity: AgentIdentity, registry: SessionRegistry, time: any TimeSource) {
        self.identity = identity
        self.registry = registry
        self.time = time
        routing = Routing(RequestRouter(idPrefix: "acpbridge-\(RandomText.hexadecimal(byteCount: 8) ?? "")-"))
        agentLines = LineSplitter(limitBytes: registry.limits.lineBytes)
        editorLines = LineSplitter(limitBytes: registry.limits.lineBytes)
        openings = EditorOpenings(time: time)
        openings.answer = { [weak self] in self?.deliver(.toEditor($0)) }
        openings.passOn = { [weak self] in self?.editorWaited($0) }
    }

    /// The state for the hand-over to another program, valid once all updates are stored.
    struct State: Codable {
        var unpublishedLines: Int
        var agentLines: LineSplitter
        var editorLines: LineSplitter
        var router: RequestRouter
        var initializeResult: [UInt8]?
        var setups: [String: SessionSetup]
        var resumed: Set<String>
        /// Nil in the state of an older version, which entered a session before the agent had accepted the request.
        var continuations: [String: Continuation]?
        var sessions: [Session.State]

        /// The names in a hand-over's JSON. They stay the names of the first format.
        private enum CodingKeys: String, CodingKey {
            case unpublishedLines, agentLines, editorLines, router = "exchange", initializeResult, setups,
                resumed, continuations, sessions
        }
    }

    var state: State {
        State(
            unpublishedLines: unpublishedLines, agentLines: agentLines, editorLines: editorLines, router: router,
            initializeResult: setups.initializeResult, setups: setups.bySession, resumed: continuations.entered,
            continuations: continuations.waiting.isEmpty ? nil : continuations.waiting,
            sessions: sessions.values.compactMap(\.state))
    }

    convenience init(_ state: State, of identity: AgentIdentity, registry: SessionRegistry, time: any TimeSource) {
        self.init(of: identity, registry: registry, time: time)
        unpublishedLines = state.unpublishedLines
        (agentLines, editorLines, routing.router) = (state.agentLines, state.editorLines, state.router)
        setups = AgentSetups(initializeResult: state.initializeResult, bySession: state.setups)
        routing.router.learnVersion(from: state.initializeResult)
        continuations = Continuations(waiting: state.continuations ?? [:], entered: state.resumed)
        // An earlier version had no limit and may have published longer ids.
        for state in state.sessions where state.id.utf8.count <= FieldLimit.sessionIdBytes {
            let session = registry.resume(agent: identity.name, tenant: identity.tenant, state)
            add(session)
            if routing.router.isReplaying(session.id) {
                session.replayBegins(isNewlyOpened: continuations.entered.contains(session.id))
            }
        }
        for session in sessions.values { session.activity = routing.router.activity(of: session.id) }
    }

    private func add(_ session: Session) {
        table.add(session)
        session.drained = { [weak self] in
            // Otherwise nothing waits for this: while the agent is held, no chunk comes that could reset the value.
            if let self, isTooFarBehind { drained() }
        }
    }

    // MARK: Facts

    /// The sessions by id.
    package var sessions: [String: Session] { table.sessions }

    /// The live children of a session, their children, and so on: each parent before its children.
    package func descendants(of session: String) -> [Session] {
        routing.router.descendants(of: session).compactMap { sessions[$0] }.filter(\.isLive)
    }

    /// The agent's answer to `initialize`, for clients that connect later.
    package var initializeResult: [UInt8]? { setups.initializeResult }

    /// The session's current modes and options, in the form of the answer to `session/load`.
    package func setup(of session: String) -> [UInt8]? {
        setups.bySession[session]?.current(version: routing.router.version)
    }

    /// The session's id, current modes and options, in the form of the answer to `session/new`.
    package func openingAnswer(of session: String) -> [UInt8] {
        (setups.bySession[session] ?? SessionSetup()).current(version: routing.router.version, naming: session)
    }

    /// The session's current mode and options, as updates.
    package func setupUpdates(of session: String) -> [[UInt8]] { setups.bySession[session]?.updates ?? [] }

    /// The agent's latest `state_update` of the session, without its usage. Nil if the agent has sent none.
    package func state(of session: String) -> [UInt8]? { setups.bySession[session]?.state }

    /// The sessions that another start of the agent can continue. A child continues with its parent.
    var interruptedWork: InterruptedWork? {
        let open = sessions.values.filter { $0.isLive && $0.parentId == nil }
        return InterruptedWork(
            open.compactMap { session in session.cwd.map { .init(id: session.id, folder: $0) } },
            initializeResult: initializeResult)
    }

    /// True if the agent can be read again. The limit is half of the stop limit, so that reading does not stop again at
    /// once.
    var hasCaughtUp: Bool { !sessions.values.contains { $0.unstoredBytes > registry.limits.unstoredBytes / 2 } }

    /// Calls `body` with the router and performs the events that it returns.
    package func withRouter<Failure: Error>(
        _ body: (inout RequestRouter) throws(Failure) -> [RequestRouter.Event]
    ) throws(Failure) {
        for event in try body(&routing.router) { apply(event) }
    }

    /// Records an answer that the bridge itself has given to a permission request.
    func recordAnswer(of name: String, to requestId: String, choice: String, in session: String) {
        registry.audit?.record(
            .answered(.init(agent: identity.name, sessionId: session), requestId: requestId, choice: choice),
            by: Identity(who: name, role: nil, tenant: identity.tenant))
    }

    // MARK: Input

    func agentWrote(_ chunk: UnsafeRawBufferPointer) {
        let now = time.dateMilliseconds
        agentLines.split(chunk, long: { [self] in handle(long: $0, at: now) }) { line in handle(line, at: now) }
        flush()
    }

    /// Handles the end of the agent's output. The last line can lack its line feed.
    func agentFinished() {
        let now = time.dateMilliseconds
        agentLines.finish(long: { [self] in handle(long: $0, at: now) }) { line in handle(line, at: now) }
        flush()
    }

    func editorWrote(_ chunk: UnsafeRawBufferPointer) {
        let now = time.dateMilliseconds
        editorLines.split(chunk) { line in
            if case .line(let line) = line { editorWrote(line, at: now) }
        }
        openings.chunkEnded()
    }

    private func editorWrote(_ line: Span<UInt8>, at now: Int64) {
        guard openings.hasWithheld else {
            for event in routing.router.editorWrote(line, at: now) { apply(event) }
            return
        }
        let messages = MessageArray.messages(in: line)
        for message in messages ?? [line.withUnsafeBufferPointer { Array($0) }]
        where !openings.handle(message, isInArray: messages != nil) {
            for event in routing.router.editorWrote(message.span, at: now) { apply(event) }
        }
    }

    /// Sends the agent a request of its editor that has waited for another agent.
    private func editorWaited(_ line: [UInt8]) {
        for event in routing.router.editorWrote(line.span, at: time.dateMilliseconds) { apply(event) }
        deliver(.toAgent(line))
    }

    /// ``RequestRouter/judgesAgent``
    var judgesAgent: Bool { routing.judgesAgent }
    /// ``RequestRouter/workSummary``
    var workSummary: RequestRouter.WorkSummary { routing.workSummary }

    /// True if some lines from the editor must not reach the agent.
    var judgesEditor: Bool { routing.router.judgesEditor || openings.arePossible }

    /// The part of a line from the editor that reaches the agent. Call before ``editorWrote(_:)`` with the line's chunk, which
    /// sends the editor the errors.
    func verdict(onEditorLine line: Span<UInt8>) -> LineVerdict {
        MessageArray.verdict(on: line) { message, envelope in
            routing.router.withholdsFromAgent(message, envelope) || openings.withholds(message, envelope)
        }
    }

    /// The part of a line from the agent that reaches the editor.
    func verdict(onAgentLine line: Span<UInt8>) -> LineVerdict {
        MessageArray.verdict(on: line) { routing.router.withholdsFromEditor($0, $1) }
    }

    /// Records requests of the editor that the bridge has already answered. The agent's answers to them are withheld.
    ///
    /// - Parameter lines: Whole lines, each with its line feed.
    func editorRepeats(_ lines: [UInt8]) {
        let now = time.dateMilliseconds
        var splitter = LineSplitter(limitBytes: registry.limits.lineBytes)
        splitter.split(lines.span) { line in
            guard case .line(let line) = line else { return }
            for event in routing.router.editorRepeated(line, at: now) { apply(event) }
        }
    }

    /// Handles the editor's disconnection and discards an unfinished line.
    func editorGone() {
        editorLines = LineSplitter(limitBytes: registry.limits.lineBytes)
        openings.editorGone()
        routing.router.editorGone()
    }

    /// Ends all sessions, because the agent has ended.
    func end(_ end: SessionEnd) {
        let exit = JSONWriter.object { end.write(to: &$0) }
        let ending = sessions.values.filter(\.isLive)
        // End all sessions now, because another agent can continue any of them at once. The resulting log work runs in
        // slices.
        for session in ending { session.endedWithAgent(end, exit) }
        registry.finishEnding(of: ending)
    }

    private func flush() {
        let limitBytes = registry.limits.unstoredBytes
        var isAnyTooFarBehind = false
        // Only sessions with new updates can have exceeded the limit. An agent can have a thousand sessions.
        for session in table.touched {
            session.flush()
            if session.unstoredBytes > limitBytes { isAnyTooFarBehind = true }
        }
        isTooFarBehind = isAnyTooFarBehind
        table.forgetTouched()
    }

    // MARK: The agent's lines

    private func handle(_ line: borrowing LineSplitter.Line, at now: Int64) {
        switch line {
        case .oversized: unpublishedLines += 1
        case .line(let line): handle(line, nil, at: now)
        }
    }

    private func handle(long line: [UInt8], at now: Int64) {
        handle(line.span.extracting(0..<line.count - 1), line, at: now)
    }

    /// - Parameter long: The line with its line feed, if it has a buffer of its own.
    private func handle(_ line: Span<UInt8>, _ long: [UInt8]?, at now: Int64) {
        guard let envelope = table.envelope(of: line) else {
            if !line.isEmpty { unpublishedLines += 1 }
            return
        }
        if envelope.isSessionUpdate(in: line) {
            handleUpdate(line, long, envelope, at: now)
        } else if envelope.shape == .array {
            handleBatch(line, at: now)
        } else {
            if envelope.isAmbiguous { unpublishedLines += 1 }
            for event in routing.router.agentWrote(line, envelope, at: now) { apply(event) }
        }
    }

    private func handleBatch(_ line: Span<UInt8>, at now: Int64) {
        guard let messages = MessageArray.messages(in: line) else {
            unpublishedLines += 1
            return
        }
        for message in messages { handle(message.span, nil, at: now) }
    }

    private static let endOfReplay = [UpdateKind.replayComplete]
    /// The kinds that are never history: an agent of version 2 repeats neither.
    private static let neverRepeated = [UpdateKind.state, UpdateKind.notice]

    private func handleUpdate(_ line: Span<UInt8>, _ long: [UInt8]?, _ envelope: Envelope, at now: Int64) {
        guard let session = session(of: envelope, in: line) else {
            unpublishedLines += 1
            return
        }
        table.touch(session)
        let interest = routing.interest
        let isInReplay = interest.contains(.replays) && routing.router.isReplaying(session.id)
        if isInReplay, UpdateKind.isOne(of: Self.endOfReplay, line, envelope) { return endReplay(of: session) }
        let isReplay = isInReplay && !UpdateKind.isOne(of: Self.neverRepeated, line, envelope)
        if let long {
            session.receive(long: long, at: now, isReplay: isReplay)
        } else {
            session.receive(line, at: now, isReplay: isReplay)
        }
        if let change = AgentSetups.change(by: line, envelope) { apply(change, to: session) }
        if let kind = envelope.updateKind, interest.includes(line.extracting(kind)) {
            for event in routing.router.agentUpdated(line, envelope, at: now) { apply(event) }
        }
    }

    /// Handles `replay_complete`. It ends the history and is none itself, so it is not stored.
    private func endReplay(of session: Session) {
        routing.router.replayCompleted(session.id)
        session.replayEnds()
    }

    private func session(of envelope: Envelope, in line: Span<UInt8>) -> Session? {
        guard let range = envelope.sessionId else { return nil }
        if let session = table.latest(namedBy: line.extracting(range)) { return session }
        guard let id = envelope.publishedSessionId(in: line), let session = open(id, cwd: nil) else { return nil }
        table.note(session, namedBy: line.extracting(range))
        return session
    }

    private func apply(_ change: AgentSetups.Change, to session: Session) {
        switch change {
        case .title(let title): session.describe(title: title)
        case .mode(let mode): setups.select(mode: mode, in: session.id)
        case .options(let options): setups.set(options: options, in: session.id)
        case .commands(let commands): setups.set(commands: commands, in: session.id)
        case .state(let state): setups.set(state: state, in: session.id)
        case .usage(let update): session.describe(usage: update)
        }
    }

    // MARK: Opening and closing sessions

    /// Returns the session with this id and starts it if necessary. Returns nil if there are too many sessions.
    private func open(_ id: String, cwd: String?) -> Session? {
        if let session = table.live(id) { return session }
        guard table.count < registry.limits.sessions else { return nil }
        let continuation = continuations.waiting.removeValue(forKey: id)
        if let continuation, let session = enter(id, continuation) { return session }
        // Another agent runs the session, so that this is another incarnation.
        return enter(
            registry.begin(agent: identity.name, id: id, tenant: identity.tenant), cwd: cwd ?? continuation?.cwd)
    }

    private func enter(_ session: Session, cwd: String?) -> Session {
        add(session)
        session.describe(cwd: cwd)
        session.note(
            .agentStart,
            JSONWriter.object { writer in
                writer.member("agent", identity.name)
                writer.member("pid", identity.pid)
            })
        if registry.runsTwice(session) {
            DiagnosticLog.daemon.record(
                .sessionRunsTwice(agent: identity.name, sessionId: session.id, pid: identity.pid))
        }
        return session
    }

    private func close(_ id: String) {
        setups.remove(id)
        table.remove(id)?.end(.closed)
    }

    /// A session that the agent does not have open is entered when the agent writes an update of it or accepts the
    /// request. Editors also ask for sessions that the agent does not know.
    private func resume(_ id: String, cwd: String?, replays: Bool) {
        if let open = table.live(id) {
            if replays { open.replayBegins() }
        } else if continuations.waiting.count < RequestRouter.openRequestsLimit {
            continuations.waiting[id] = Continuation(cwd: cwd, replays: replays)
        }
    }

    private func enter(_ id: String, _ continuation: Continuation) -> Session? {
        guard let session = registry.resume(agent: identity.name, id: id, tenant: identity.tenant) else { return nil }
        continuations.entered.insert(id)
        if continuation.replays { session.replayBegins(isNewlyOpened: true) }
        return enter(session, cwd: continuation.cwd)
    }

    private func continuationEnded(_ id: String, succeeded: Bool) {
        if succeeded { _ = open(id, cwd: nil) }
        continuations.waiting[id] = nil
        sessions[id]?.replayEnds()
        // A session that was already open stays open if the agent refuses to load it.
        if continuations.entered.remove(id) != nil, !succeeded { close(id) }
    }

    // MARK: Events

    private func apply(_ event: RequestRouter.Event) {
        switch event {
        case .fact(let fact): apply(fact)
        case .delivery(let delivery): deliver(delivery)
        }
    }

    private func apply(_ fact: RequestRouter.Fact) {
        switch fact {
        case .sessionOpened(let id, let cwd):
            let session = open(id, cwd: cwd)
            if let cwd, let session, session.cwd == nil { session.describe(cwd: cwd) }
        case .sessionContinued(let id, let cwd, let replays): resume(id, cwd: cwd, replays: replays)
        case .continuationEnded(let id, let succeeded): continuationEnded(id, succeeded: succeeded)
        case .sessionClosed(let id): close(id)
        case .promptSent(let id, let params, let by): promptSent(sessions[id], params, by)
        case .turnEnded(let id, let outcome), .promptInserted(let id, let outcome): turnEnded(sessions[id], outcome)
        case .workEnded(let id, let outcome): sessions[id]?.describe(workEnd: outcome)
        case .turnExpired(let id): sessions[id]?.note(.turnEnd, Array("{}".utf8))
        case .activityChanged(let id): sessions[id]?.activity = routing.router.activity(of: id)
        case .childAnnounced(let id, let parent): announceChild(id, of: parent)
        case .childNamed(let id, let title): sessions[id]?.describe(title: title)
        case .elicitationAsked(let id, let request): sessions[id]?.note(.elicitationRequest, request)
        case .elicitationAnswered(let id, let answer):
            sessions[id]?.note(.elicitationAnswer, answer)
            registry.audit?.recordEditorsAnswer(answer, in: AuditEvent.SessionName(agent: identity.name, sessionId: id))
        case .permissionAsked(let id, let request): sessions[id]?.note(.permissionRequest, request)
        case .permissionAnswered(let id, let answer):
            sessions[id]?.note(.permissionAnswer, answer)
            registry.audit?.recordEditorsAnswer(answer, in: AuditEvent.SessionName(agent: identity.name, sessionId: id))
        case .initialized(let result): setups.initialized(result)
        case .sessionSetUp(let id, let result): setups.setUp(id, result)
        case .modeSet(let id, let mode):
            setups.select(mode: mode, in: id)
            factsChanged(id)
        case .optionsSet(let id, let options):
            setups.set(options: options, in: id)
            factsChanged(id)
        case .queueChanged(let id): factsChanged(id)
        case .capabilitiesChanged: for id in sessions.keys { factsChanged(id) }
        }
    }

    private func factsChanged(_ id: String) {
        if let session = sessions[id] { registry.onChange(session, .facts) }
    }

    private func promptSent(_ session: Session?, _ params: [UInt8], _ author: String?) {
        guard let session else { return }
        session.runningPrompts += 1
        if author == nil {
            registry.audit?.record(.prompted(.init(agent: identity.name, sessionId: session.id)), by: .editor)
        }
        if let text = PromptTitle.text(params: params) { session.prompted(text) }
        let body = author.map { Self.signed(params, by: $0) } ?? params
        session.note(.prompt, PromptParams.bounded(body, to: Session.entryLimitBytes))
    }

    /// Adds the sender to `params` if the sender was not the editor: `{"sessionId":…,"prompt":…,"by":"token tk_1"}`.
    private static func signed(_ params: [UInt8], by author: String) -> [UInt8] {
        JSONWriter.object { writer in
            for (name, value) in (try? JSONValue(validating: params))?.members ?? [] where name != "by" {
                writer.member(name, raw: value.rawText)
            }
            writer.member("by", author)
        }
    }

    private func turnEnded(_ session: Session?, _ outcome: [UInt8]) {
        guard let session else { return }
        // The prompt can have been sent before the session was known.
        session.runningPrompts = max(0, session.runningPrompts - 1)
        session.note(.turnEnd, outcome)
    }

    /// Opens a child session with its announcement, so that clients can follow it before its first update.
    private func announceChild(_ id: String, of parent: String) {
        guard let child = open(id, cwd: sessions[parent]?.cwd) else { return }
        child.describe(parentId: parent)
        child.activity = routing.router.activity(of: id)
    }
}

/// The router, and copies of the values that each piece of output needs. Reading them from the router would copy the
/// router, with all its tables' reference counts. A class, so that reading a copy is not an access to the router.
@LoopActor private final class Routing {
    var router: RequestRouter { didSet { readValues() } }
    /// The kinds of update that the router must read.
    private(set) var interest: UpdateInterest
    private(set) var judgesAgent: Bool
    private(set) var workSummary: RequestRouter.WorkSummary

    init(_ router: RequestRouter) {
        self.router = router
        interest = router.updateInterest
        judgesAgent = router.judgesAgent
        workSummary = router.workSummary
    }

    private func readValues() {
        interest = router.updateInterest
        judgesAgent = router.judgesAgent
        workSummary = router.workSummary
    }
}
