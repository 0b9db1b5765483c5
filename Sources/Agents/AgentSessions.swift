import ACPRouting
import Access
import EventLoop
import FieldLimits
import JSONRPC
import JSONScan
import Posix
import SessionLog
import SessionStreams
import Tinyvex

/// Splits the traffic between an agent and its editor into sessions. Each `session/update` goes to its session's log;
/// other messages that an observer needs go to the session's timeline.
@LoopActor package final class AgentSessions {
    /// The number of the agent's lines that went to the editor but were not published. Such a line is invalid JSON,
    /// repeats an envelope key, is too long, exceeds the limit of sessions, or has a session id that is too long.
    package private(set) var unpublishedLines = 0
    /// The sessions by id.
    package private(set) var sessions: [String: Session] = [:]

    private let agent: String
    private let tenant: String?
    private let pid: Int32
    private let registry: SessionRegistry
    /// Called when fewer bytes wait for storage than before.
    private let drained: @LoopActor () -> Void
    /// Receives the messages for the agent, its editor and its guests.
    private let route: @LoopActor (Exchange.Event) -> Void
    private var agentLines: LineSplitter
    private var editorLines: LineSplitter
    package private(set) var exchange: Exchange
    /// The agent's answer to `initialize`, for clients that connect later.
    package private(set) var initializeResult: [UInt8]?
    /// The setups by session id.
    private var setups: [String: SessionSetup] = [:]
    /// The previous line's session, with the raw bytes of its id. The next line nearly always has the same id.
    private var latest: (rawId: [UInt8], session: Session)?
    private var touched: [Session] = []
    /// Earlier sessions that the editor has asked to continue and that the agent has not accepted yet.
    private var resumed: Set<String> = []

    init(
        agent: String, tenant: String?, pid: Int32, registry: SessionRegistry, drained: @escaping @LoopActor () -> Void,
        route: @escaping @LoopActor (Exchange.Event) -> Void
    ) {
        self.agent = agent
        self.tenant = tenant
        self.pid = pid
        self.registry = registry
        self.drained = drained
        self.route = route
        exchange = Exchange(idPrefix: "acpbridge-\(RandomText.hexadecimal(byteCount: 8) ?? "")-")
        agentLines = LineSplitter(limitBytes: registry.limits.lineBytes)
        editorLines = LineSplitter(limitBytes: registry.limits.lineBytes)
    }

    /// The state for the hand-over to another program, valid once all updates are stored.
    struct State: Codable {
        var unpublishedLines: Int
        var agentLines: LineSplitter
        var editorLines: LineSplitter
        var exchange: Exchange
        var initializeResult: [UInt8]?
        var setups: [String: SessionSetup]
        var resumed: Set<String>
        var sessions: [Session.State]
    }

    var state: State {
        State(
            unpublishedLines: unpublishedLines, agentLines: agentLines, editorLines: editorLines, exchange: exchange,
            initializeResult: initializeResult, setups: setups, resumed: resumed,
            sessions: sessions.values.compactMap(\.state))
    }

    convenience init(
        _ state: State, agent: String, tenant: String?, pid: Int32, registry: SessionRegistry,
        drained: @escaping @LoopActor () -> Void, route: @escaping @LoopActor (Exchange.Event) -> Void
    ) {
        self.init(agent: agent, tenant: tenant, pid: pid, registry: registry, drained: drained, route: route)
        unpublishedLines = state.unpublishedLines
        (agentLines, editorLines) = (state.agentLines, state.editorLines)
        (exchange, initializeResult, setups) = (state.exchange, state.initializeResult, state.setups)
        resumed = state.resumed
        // An earlier version had no limit and may have published longer ids.
        for state in state.sessions where state.id.utf8.count <= FieldLimit.sessionIdBytes {
            let session = registry.goOn(agent: agent, tenant: tenant, state)
            session.drained = drained
            sessions[session.id] = session
        }
    }

    /// True if the agent has answered all requests.
    var isIdle: Bool { exchange.isIdle }

    /// Calls `body` with the exchange and performs the events that it returns.
    package func converse<Failure: Error>(
        _ body: (inout Exchange) throws(Failure) -> [Exchange.Event]
    ) throws(Failure) {
        for event in try body(&exchange) { apply(event) }
    }

    /// True if, as of the last chunk, more bytes wait for storage than the memory limit allows. The agent must not be
    /// read then.
    private(set) var isTooFarBehind = false

    /// True if the agent can be read again. The limit is half of the stop limit, so that reading does not stop again at
    /// once.
    var hasCaughtUp: Bool { !sessions.values.contains { $0.unstoredBytes > registry.limits.unstoredBytes / 2 } }

    // MARK: Input

    func agentWrote(_ chunk: UnsafeRawBufferPointer) {
        let now = wallClockMilliseconds()
        agentLines.split(chunk, long: { [self] in take(long: $0, at: now) }) { line in take(line, at: now) }
        flush()
    }

    /// Handles the end of the agent's output. The last line can lack its line feed.
    func agentFinished() {
        let now = wallClockMilliseconds()
        agentLines.finish(long: { [self] in take(long: $0, at: now) }) { line in take(line, at: now) }
        flush()
    }

    func editorWrote(_ chunk: UnsafeRawBufferPointer) {
        let now = wallClockMilliseconds()
        editorLines.split(chunk) { line in
            guard case .line(let line) = line else { return }
            for event in exchange.editorWrote(line, at: now) { apply(event) }
        }
    }

    /// Handles the editor's disconnection and discards an unfinished line.
    func editorGone() {
        editorLines = LineSplitter(limitBytes: registry.limits.lineBytes)
        exchange.editorGone()
    }

    /// Ends all sessions, because the agent has ended.
    func end(_ end: SessionEnd) {
        let exit = JSONWriter.object { end.write(to: &$0) }
        let ending = sessions.values.filter(\.isLive)
        // End all sessions now, because another agent can continue any of them at once. The resulting log work runs in
        // slices.
        for session in ending { session.endedWithAgent(end, exit) }
        registry.endings.run(ending)
    }

    private func flush() {
        for session in touched { session.flush() }
        // Only sessions with new updates can have exceeded the limit. An agent can have a thousand sessions.
        isTooFarBehind = touched.contains { $0.unstoredBytes > registry.limits.unstoredBytes }
        touched.removeAll(keepingCapacity: true)
    }

    // MARK: The agent's lines

    private func take(_ line: borrowing LineSplitter.Line, at now: Int64) {
        switch line {
        case .oversized: unpublishedLines += 1
        case .line(let line): take(line, nil, at: now)
        }
    }

    private func take(long line: [UInt8], at now: Int64) {
        take(line.span.extracting(0..<line.count - 1), line, at: now)
    }

    /// - Parameter long: The line with its line feed, if it has a buffer of its own.
    private func take(_ line: Span<UInt8>, _ long: [UInt8]?, at now: Int64) {
        guard let envelope = try? scanEnvelope(line) else {
            if !line.isEmpty { unpublishedLines += 1 }
            return
        }
        if envelope.isSessionUpdate(in: line) {
            takeUpdate(line, long, envelope, at: now)
        } else {
            if envelope.isAmbiguous { unpublishedLines += 1 }
            for event in exchange.agentWrote(line, envelope, at: now) { apply(event) }
        }
    }

    private func takeUpdate(_ line: Span<UInt8>, _ long: [UInt8]?, _ envelope: Envelope, at now: Int64) {
        guard let session = session(of: envelope, in: line) else {
            unpublishedLines += 1
            return
        }
        if touched.last !== session { touched.append(session) }
        let isReplay = !exchange.replaying.isEmpty && exchange.replaying.contains(session.id)
        if let long {
            session.receive(long: long, at: now, isReplay: isReplay)
        } else {
            session.receive(line, at: now, isReplay: isReplay)
        }
        noteState(line, envelope, session)
    }

    private func session(of envelope: Envelope, in line: Span<UInt8>) -> Session? {
        guard let range = envelope.sessionId else { return nil }
        if let latest, line.extracting(range).isEqual(to: latest.rawId), latest.session.isLive { return latest.session }
        guard let id = envelope.publishedSessionId(in: line), let session = open(id, cwd: nil) else { return nil }
        latest = (line.extracting(range).withUnsafeBufferPointer { Array($0) }, session)
        return session
    }

    private static let titleKind = Array("\"session_info_update\"".utf8)
    private static let modeKind = Array("\"current_mode_update\"".utf8)
    private static let optionsKind = Array("\"config_option_update\"".utf8)

    /// Keeps the state that clients need when they join later. Nearly all updates carry none; their length shows this
    /// quickly.
    private func noteState(_ line: Span<UInt8>, _ envelope: Envelope, _ session: Session) {
        guard let range = envelope.updateKind else { return }
        let kind = line.extracting(range)
        if kind.isEqual(to: Self.titleKind) {
            guard let title = Exchange.value(line, envelope.update)?["title"] else { return }
            // Only in this update does null differ from a missing member: null removes the title.
            if let text = title.isNull ? "" : title.stringValue { session.describe(title: text) }
        } else if kind.isEqual(to: Self.modeKind) {
            setups[session.id]?.select(mode: Exchange.value(line, envelope.update)?["currentModeId"]?.stringValue)
        } else if kind.isEqual(to: Self.optionsKind) {
            let options = Exchange.value(line, envelope.update)?["configOptions"]
            if let options { setups[session.id]?.take(options: Array(options.rawText)) }
        }
    }

    /// The session's current modes and options, in the form of the answer to `session/load`.
    package func setup(of session: String) -> [UInt8]? { setups[session]?.current }

    // MARK: Opening and closing sessions

    /// Returns the session with this id and starts it if necessary. Returns nil if there are too many sessions.
    private func open(_ id: String, cwd: String?) -> Session? {
        if let session = sessions[id], session.isLive { return session }
        guard sessions.count < registry.limits.sessions else { return nil }
        return enter(registry.begin(agent: agent, id: id, tenant: tenant), cwd: cwd)
    }

    private func enter(_ session: Session, cwd: String?) -> Session {
        sessions[session.id] = session
        latest = nil
        session.drained = drained
        session.describe(cwd: cwd)
        session.note(
            .agentStart,
            JSONWriter.object { writer in
                writer.member("agent", agent)
                writer.member("pid", pid)
            })
        return session
    }

    private func close(_ id: String) {
        latest = nil
        setups[id] = nil
        sessions.removeValue(forKey: id)?.end(.closed)
    }

    private func goOn(_ id: String, cwd: String?) {
        if let open = sessions[id], open.isLive { return open.replayBegins() }
        guard sessions.count < registry.limits.sessions,
            let session = registry.goOn(agent: agent, id: id, tenant: tenant)
        else {
            return
        }
        resumed.insert(id)
        _ = enter(session, cwd: cwd)
    }

    // MARK: Events

    private func apply(_ event: Exchange.Event) {
        switch event {
        case .sessionOpened(let id, let cwd):
            let session = open(id, cwd: cwd)
            if let cwd, let session, session.cwd == nil { session.describe(cwd: cwd) }
        case .sessionContinued(let id, let cwd, _): goOn(id, cwd: cwd)
        case .continuationEnded(let id, let succeeded):
            // A session that was already open stays open if the agent refuses to load it.
            if resumed.remove(id) != nil, !succeeded { close(id) } else if succeeded { _ = open(id, cwd: nil) }
        case .sessionClosed(let id): close(id)
        case .promptSent(let id, let params, let by): promptSent(sessions[id], params, by)
        case .turnEnded(let id, let outcome): turnEnded(sessions[id], outcome)
        case .permissionAsked(let id, let request): sessions[id]?.note(.permissionRequest, request)
        case .permissionAnswered(let id, let answer):
            sessions[id]?.note(.permissionAnswer, answer)
            registry.audit?.recordEditorsAnswer(answer, in: AuditEvent.SessionName(agent: agent, sessionId: id))
        case .initialized(let result): initializeResult = result.count <= SessionSetup.limitBytes ? result : nil
        case .sessionSetUp(let id, let result): setups[id] = SessionSetup(result: result)
        case .modeSet(let id, let mode):
            setups[id]?.select(mode: mode)
            if let session = sessions[id] { registry.onChange(session, .facts) }
        case .optionsSet(let id, let options):
            setups[id]?.take(options: options)
            if let session = sessions[id] { registry.onChange(session, .facts) }
        case .queueChanged(let id):
            if let session = sessions[id] { registry.onChange(session, .facts) }
        case .toAgent, .toEditor, .toGuest, .answered: route(event)
        }
    }

    private func promptSent(_ session: Session?, _ params: [UInt8], _ author: String?) {
        guard let session else { return }
        session.runningPrompts += 1
        if author == nil {
            registry.audit?.record(.prompted(.init(agent: agent, sessionId: session.id)), by: .editor)
        }
        if let text = PromptTitle.text(params: params) { session.prompted(text) }
        session.note(.prompt, author.map { Self.signed(params, by: $0) } ?? params)
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
}
