import AgentProcess
import EventLoop
import Glibc
import Tinyvex

/// The editor's three streams, ours to read and write.
struct EditorStreams: ~Copyable {
    var input: ByteStream
    var output: ByteStream
    var error: ByteStream
}

/// One agent and the editor it works for: their bytes pass between them as they are, and on the way are shown to the
/// sessions. How the agent ends, and when, is decided here.
@LoopActor final class AgentRun: PollHandler {
    let name: String
    let pid: pid_t
    let startedAt = wallClockMilliseconds()
    private(set) var sessions: AgentSessions?

    private var process: ChildProcess
    private var exitWatch: Watch?
    private var output: Conduit?
    private var error: Conduit?
    private var input: Conduit?
    private var ladder: TeardownLadder?
    private var exit: TerminationStatus?
    /// The editor has closed its end.
    private var inputHasEnded = false
    /// The agent has closed its own.
    private var agentReadsNoMore = false
    private var lastOutput = Instant.now
    private var silenceTimer: Timer?
    private let ended: @LoopActor (AgentRun, TerminationStatus) -> Void

    /// How an agent is ended when its editor has gone.
    private static let farewell = [
        TeardownStep(.closeInput, patience: .seconds(3)),
        TeardownStep(.signalGroup(SIGTERM), patience: .seconds(2)),
        TeardownStep(.signalGroup(SIGKILL), patience: .zero),
    ]

    /// An editor that has closed only its end of the input may still read: an agent that owes it no answer is let go on
    /// until it has said nothing for this long.
    private static let silenceAfterInput = Duration.seconds(10)

    /// How long an editor that has asked for the agent's end may take for its next read of what is left.
    private static let readingPatience = Duration.seconds(2)

    /// - Parameter ended: called once, when the agent has exited and all it wrote has reached the editor, or the editor
    ///   has gone.
    init(
        name: String, request: SpawnRequest, registry: SessionRegistry,
        ended: @escaping @LoopActor (AgentRun, TerminationStatus) -> Void
    ) throws(SpawnError) {
        process = try ChildProcess.spawn(request)
        pid = process.pid
        self.name = name
        self.ended = ended
        sessions = AgentSessions(agent: name, pid: pid, registry: registry) { [weak self] in self?.logHasCaughtUp() }
    }

    func start(_ editor: consuming EditorStreams) throws(SystemError) {
        guard let agentInput = process.takeInput(), let agentOutput = process.takeOutput(),
            let agentError = process.takeError()
        else { return }
        exitWatch = try EventLoop.main.watch(process.exitDescriptor.raw, .readable, self)
        output = Conduit(from: agentOutput, to: editor.output) { [weak self] chunk in
            self?.outputArrived(chunk)
        } report: { [weak self] event in
            self?.outputReported(event)
        }
        error = Conduit(from: agentError, to: editor.error) { _ in
        } report: { [weak self] _ in
            self?.finishIfDone()
        }
        input = Conduit(from: editor.input, to: agentInput) { [weak self] chunk in
            self?.sessions?.editorWrote(chunk)
        } report: { [weak self] event in
            self?.inputReported(event)
        }
        try output?.start()
        try error?.start()
        try input?.start()
    }

    // MARK: What passes

    private func outputArrived(_ chunk: UnsafeRawBufferPointer) {
        sessions?.agentWrote(chunk)
        if sessions?.isTooFarBehind == true { output?.hold(true) }
        guard inputHasEnded else { return }
        lastOutput = .now
        endIfSilent()
    }

    private func logHasCaughtUp() {
        if sessions?.hasCaughtUp == true { output?.hold(false) }
    }

    private func outputReported(_ event: Conduit.Event) {
        switch event {
        case .finished:
            sessions?.agentFinished()
            finishIfDone()
        case .sinkFailed:
            // Nobody reads what the agent says: it finds its own pipe closed, as it would without us.
            output?.endSource()
            input?.endSource()
            climb(Self.farewell)
        }
    }

    private func inputReported(_ event: Conduit.Event) {
        switch event {
        case .finished:
            inputHasEnded = !agentReadsNoMore
            lastOutput = .now
            endIfSilent()
        case .sinkFailed:
            // The editor finds its pipe closed, as it would without us; it did not ask for an end.
            agentReadsNoMore = true
            input?.endSource()
        }
    }

    // MARK: Who asks for the end

    /// Passes on a signal that the front was sent. TERM and HUP ask for the agent's end, which then comes in time.
    func signal(_ signal: Int32) {
        guard exit == nil else { return }
        process.signalGroup(signal)
        if signal == SIGTERM || signal == SIGHUP {
            climb([
                TeardownStep(.wait, patience: .seconds(5)), TeardownStep(.signalGroup(SIGKILL), patience: .zero),
            ])
        }
    }

    /// The editor is gone for good.
    func editorGone() {
        input?.endSource()
        output?.hold(false)
        output?.dropSink()
        error?.dropSink()
        climb(Self.farewell)
        finishIfDone()
    }

    /// The bridge stops: the agent is ended, what it still says goes to the editor and the log.
    func endWithBridge() {
        input?.endSource()
        climb(Self.farewell)
    }

    /// The agent could not be joined to its editor.
    func giveUp() {
        process.signalGroup(SIGKILL)
        guard exitWatch == nil else { return editorGone() }
        exit = process.reap()
        leave(.signaled(signal: SIGKILL))
    }

    private func endIfSilent() {
        guard inputHasEnded, sessions?.isIdle == true, exit == nil, silenceTimer == nil else { return }
        let rest = Self.silenceAfterInput - (Instant.now - lastOutput)
        guard rest > .zero else { return climb(Self.farewell) }
        silenceTimer = EventLoop.main.schedule(after: rest) { [weak self] in
            self?.silenceTimer = nil
            self?.endIfSilent()
        }
    }

    // MARK: The end

    private func climb(_ steps: [TeardownStep]) {
        guard exit == nil else { return }
        if ladder == nil { ladder = TeardownLadder(steps: steps) }
        take(ladder?.begin() ?? .rest)
    }

    private func take(_ action: TeardownLadder.Action) {
        guard exit == nil, case .take(let measure, let patience) = action else { return }
        switch measure {
        case .closeInput: input?.endSource()
        case .signalGroup(let signal): process.signalGroup(signal)
        case .wait: break
        }
        EventLoop.main.schedule(after: patience) { [weak self] in
            guard let self else { return }
            self.take(self.ladder?.patienceRanOut() ?? .rest)
        }
    }

    /// Someone has asked for the end, and it has come: an editor that takes nothing more is not waited for.
    private func endUnlessRead(from passed: Int) {
        EventLoop.main.schedule(after: Self.readingPatience) { [weak self] in
            guard let self, self.sessions != nil else { return }
            let now = self.passedBytes
            guard now == passed else { return self.endUnlessRead(from: now) }
            self.output?.dropSink()
            self.error?.dropSink()
            self.finishIfDone()
        }
    }

    private var passedBytes: Int { (output?.passedBytes ?? 0) + (error?.passedBytes ?? 0) }

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
        if ladder != nil { endUnlessRead(from: passedBytes) }
        finishIfDone()
    }

    private func finishIfDone() {
        guard let exit, output?.isFinished == true, error?.isFinished == true else { return }
        leave(exit)
    }

    private func leave(_ exit: TerminationStatus) {
        guard let sessions else { return }
        self.sessions = nil
        output = nil
        error = nil
        input = nil
        switch exit {
        case .exited(let code): sessions.end(.exited(code: code))
        case .signaled(let signal): sessions.end(.signaled(signal: signal))
        }
        ended(self, exit)
    }
}
