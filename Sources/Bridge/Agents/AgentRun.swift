import AgentProcess
import EventLoop
import Glibc
import JSONRPC
import JSONScan
import Tinyvex

/// The editor's three streams, ours to read and write.
struct EditorStreams: ~Copyable {
    var input: ByteStream
    var output: ByteStream
    var error: ByteStream
}

/// One agent and the editor it works for: bytes between them as they are, and a look at each line for the sessions.
@LoopActor final class AgentRun: PollHandler {
    let name: String
    let pid: pid_t
    let startedAt = wallClockMilliseconds()
    private(set) var sessions: [String: Session] = [:]
    /// Lines of the agent's that are no JSON, or that name an envelope key twice, or that are too long: they went to
    /// the editor and were not published.
    private(set) var unpublishedLines = 0

    private let registry: SessionRegistry
    private var process: ChildProcess
    private var exitWatch: Watch?
    private var output: Conduit?
    private var error: Conduit?
    private var input: Conduit?
    private var outputLines: LineSplitter
    private var inputLines: LineSplitter
    private var exchange = Exchange()
    /// The session of the line before, by the very bytes of its id: nearly always that of the next one too.
    private var latest: (rawId: [UInt8], session: Session)?
    private var touched: [Session] = []
    /// Sessions of the past that the editor wants to go on with and the agent has not agreed to yet.
    private var resumed: Set<String> = []
    private var ladder: TeardownLadder?
    private var exit: TerminationStatus?
    /// The editor has closed its end.
    private var inputHasEnded = false
    /// The agent has closed its own.
    private var agentReadsNoMore = false
    private let ended: @LoopActor (AgentRun, TerminationStatus) -> Void

    /// How an agent is ended when its editor has gone, or has closed its input and waits for nothing more.
    private static let farewell = [
        TeardownStep(.closeInput, patience: .seconds(3)),
        TeardownStep(.signalGroup(SIGTERM), patience: .seconds(2)),
        TeardownStep(.signalGroup(SIGKILL), patience: .zero),
    ]

    /// - Parameter ended: called once, when the agent has exited and all it wrote has reached the editor.
    init(
        name: String, request: SpawnRequest, registry: SessionRegistry,
        ended: @escaping @LoopActor (AgentRun, TerminationStatus) -> Void
    ) throws(SpawnError) {
        process = try ChildProcess.spawn(request)
        pid = process.pid
        self.name = name
        self.registry = registry
        self.ended = ended
        outputLines = LineSplitter(limitBytes: registry.limits.lineBytes)
        inputLines = LineSplitter(limitBytes: registry.limits.lineBytes)
    }

    func start(_ editor: consuming EditorStreams) throws(SystemError) {
        guard let agentInput = process.takeInput(), let agentOutput = process.takeOutput(),
            let agentError = process.takeError()
        else { return }
        output = Conduit(from: agentOutput, to: editor.output) { [weak self] in
            self?.outputArrived($0)
        } report: {
            [weak self] in
            self?.outputReported($0)
        }
        error = Conduit(from: agentError, to: editor.error) { _ in
        } report: { [weak self] _ in
            self?.finishIfDone()
        }
        input = Conduit(from: editor.input, to: agentInput) { [weak self] in
            self?.inputArrived($0)
        } report: {
            [weak self] in
            self?.inputReported($0)
        }
        exitWatch = try EventLoop.main.watch(process.exitDescriptor.raw, .readable, self)
        try output?.start()
        try error?.start()
        try input?.start()
    }

    // MARK: From the agent

    private func outputArrived(_ chunk: UnsafeRawBufferPointer) {
        let now = wallClockMilliseconds()
        outputLines.split(chunk) { line in takeOutput(line, at: now) }
        flushTouched()
        if inputHasEnded { endIfIdle() }
    }

    private func takeOutput(_ line: borrowing LineSplitter.Line, at now: Int64) {
        switch line {
        case .oversized: unpublishedLines += 1
        case .line(let line):
            guard let envelope = try? scanEnvelope(line) else {
                if !line.isEmpty { unpublishedLines += 1 }
                return
            }
            if envelope.isSessionUpdate(in: line) {
                takeUpdate(line, envelope, at: now)
            } else {
                if envelope.isAmbiguous { unpublishedLines += 1 }
                for event in exchange.agentWrote(line, envelope) { apply(event) }
            }
        }
    }

    private func takeUpdate(_ line: Span<UInt8>, _ envelope: Envelope, at now: Int64) {
        guard let session = session(of: envelope, in: line) else { return }
        if touched.last !== session { touched.append(session) }
        let isReplay = !exchange.replaying.isEmpty && exchange.replaying.contains(session.id)
        session.receive(line, at: now, isReplay: isReplay)
        noteTitle(line, envelope, session)
    }

    private func session(of envelope: Envelope, in line: Span<UInt8>) -> Session? {
        guard let range = envelope.sessionId else { return nil }
        if let latest, line.extracting(range).isEqual(to: latest.rawId) { return latest.session }
        guard let id = envelope.string(in: line, at: range) else { return nil }
        let session = sessions[id] ?? open(id, cwd: nil)
        latest = (line.extracting(range).withUnsafeBufferPointer { Array($0) }, session)
        return session
    }

    private static let titleKind = Array("\"session_info_update\"".utf8)

    private func noteTitle(_ line: Span<UInt8>, _ envelope: Envelope, _ session: Session) {
        guard let kind = envelope.updateKind, line.extracting(kind).isEqual(to: Self.titleKind),
            let update = envelope.update,
            let value = try? JSONValue(validating: line.extracting(update).withUnsafeBufferPointer { Array($0) }),
            let title = value["title"]?.stringValue
        else { return }
        session.describe(title: title)
    }

    private func flushTouched() {
        for session in touched {
            session.flush()
            if session.unstoredBytes > registry.limits.unstoredBytes { output?.hold(true) }
        }
        touched.removeAll(keepingCapacity: true)
    }

    /// Less waits to be stored of one of the sessions.
    func drained(_ session: Session) {
        guard sessions[session.id] === session else { return }
        if !sessions.values.contains(where: { $0.unstoredBytes > registry.limits.unstoredBytes / 2 }) {
            output?.hold(false)
        }
    }

    // MARK: From the editor

    private func inputArrived(_ chunk: UnsafeRawBufferPointer) {
        inputLines.split(chunk) { line in
            if case .line(let line) = line {
                for event in exchange.editorWrote(line) { apply(event) }
            }
        }
    }

    /// Passes on a signal that the front was sent. TERM and HUP ask for the agent's end, which then comes in time.
    func signal(_ signal: Int32) {
        guard exit == nil else { return }
        if signal == SIGTERM || signal == SIGHUP, ladder == nil {
            climb(
                TeardownLadder(steps: [
                    TeardownStep(.signalGroup(signal), patience: .seconds(5)),
                    TeardownStep(.signalGroup(SIGKILL), patience: .zero),
                ]))
        } else {
            process.signalGroup(signal)
        }
    }

    /// The editor is gone for good.
    func editorGone() {
        input?.endSource()
        output?.dropSink()
        error?.dropSink()
        if exit == nil { climb(TeardownLadder(steps: Self.farewell)) }
        finishIfDone()
    }

    /// The bridge stops: the agent is ended, what it still says goes to the editor and the log.
    func endWithBridge() {
        input?.endSource()
        if exit == nil { climb(TeardownLadder(steps: Self.farewell)) }
    }

    // MARK: What the lines mean

    private func open(_ id: String, cwd: String?) -> Session {
        if let session = sessions[id], session.isLive { return session }
        let session = registry.begin(agent: name, id: id)
        return enter(session, cwd: cwd)
    }

    private func enter(_ session: Session, cwd: String?) -> Session {
        sessions[session.id] = session
        latest = nil
        session.describe(cwd: cwd)
        session.note(.agentStart, startFacts())
        return session
    }

    private func startFacts() -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("agent", name)
            writer.member("pid", Int64(pid))
        }
    }

    private func apply(_ event: Exchange.Event) {
        switch event {
        case .sessionOpened(let id, let cwd):
            let session = open(id, cwd: cwd)
            if let cwd, session.cwd == nil { session.describe(cwd: cwd) }
        case .sessionContinued(let id, let cwd, _):
            if let open = sessions[id], open.isLive { return open.replayBegins() }
            resumed.insert(id)
            _ = enter(registry.goOn(agent: name, id: id), cwd: cwd)
        case .continuationEnded(let id, let succeeded):
            // A session that was open before the agent refused to load it stays open.
            guard resumed.remove(id) != nil, !succeeded else { return }
            sessions.removeValue(forKey: id)?.end(.closed)
            latest = nil
        case .sessionClosed(let id): sessions[id]?.end(.closed)
        case .promptSent(let id, let params): promptSent(sessions[id], params)
        case .turnEnded(let id, let outcome): turnEnded(sessions[id], outcome)
        case .permissionAsked(let id, let request): sessions[id]?.note(.permissionRequest, request)
        case .permissionAnswered(let id, let answer): sessions[id]?.note(.permissionAnswer, answer)
        }
    }

    private func promptSent(_ session: Session?, _ params: [UInt8]) {
        guard let session else { return }
        session.runningPrompts += 1
        if session.title == nil { session.describe(title: PromptTitle.of(params: params)) }
        session.note(.prompt, params)
    }

    private func turnEnded(_ session: Session?, _ outcome: [UInt8]) {
        session?.runningPrompts -= 1
        session?.note(.turnEnd, outcome)
    }

    // MARK: The end

    private func outputReported(_ event: Conduit.Event) {
        switch event {
        case .finished:
            outputLines.finish { line in takeOutput(line, at: wallClockMilliseconds()) }
            flushTouched()
            finishIfDone()
        case .sinkFailed:
            // Nobody reads what the agent says: to it, its editor is gone.
            input?.endSource()
            if exit == nil { climb(TeardownLadder(steps: Self.farewell)) }
        }
    }

    private func inputReported(_ event: Conduit.Event) {
        switch event {
        case .finished:
            inputHasEnded = !agentReadsNoMore
            endIfIdle()
        case .sinkFailed:
            // The editor finds its pipe closed, as it would without us; it did not ask for an end.
            agentReadsNoMore = true
            input?.endSource()
        }
    }

    /// An agent whose input has ended and who owes no answer should end by itself.
    private func endIfIdle() {
        guard inputHasEnded, exchange.isIdle, exit == nil else { return }
        climb(TeardownLadder(steps: Self.farewell))
    }

    private func climb(_ ladder: TeardownLadder) {
        if self.ladder == nil { self.ladder = ladder }
        take(self.ladder?.begin() ?? .rest)
    }

    private func take(_ action: TeardownLadder.Action) {
        guard exit == nil, case .take(let measure, let patience) = action else { return }
        switch measure {
        case .closeInput: input?.endSource()
        case .signalGroup(let signal): process.signalGroup(signal)
        }
        EventLoop.main.schedule(after: patience) { [weak self] in
            guard let self else { return }
            self.take(self.ladder?.patienceRanOut() ?? .rest)
        }
    }

    /// The agent's process has exited.
    func pollReady(_ watch: Watch, _ readiness: Readiness) {
        guard exit == nil else { return }
        watch.cancel()
        exit = process.reap()
        ladder?.processEnded()
        input?.dropSink()
        input?.endSource()
        error?.finishWhenEmpty()
        output?.finishWhenEmpty()
        finishIfDone()
    }

    private func finishIfDone() {
        guard let exit, output?.isFinished == true, error?.isFinished == true else { return }
        output = nil
        error = nil
        input = nil
        let end: SessionEnd
        switch exit {
        case .exited(let code): end = .exited(code: code)
        case .signaled(let signal): end = .signaled(signal: signal)
        }
        for session in sessions.values where session.isLive {
            session.note(.agentExit, JSONWriter.object { end.write(to: &$0) })
            session.end(end)
        }
        ended(self, exit)
    }
}
