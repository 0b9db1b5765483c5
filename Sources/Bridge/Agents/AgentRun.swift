import AgentProcess
import EventLoop
import Glibc
import Tinyvex

/// One agent, and those it works for: its editor, whose bytes and its own pass between them as they are, and guests,
/// who speak to it line by line. On the way all is shown to the sessions. When the agent is to end is decided here.
@LoopActor final class AgentRun: PollHandler {
    let name: String
    let pid: pid_t
    let command: [SystemString]
    /// What is written down of it for a bridge that finds it left over.
    let record: AgentRecord.Agent
    let startedAt: Int64
    let lineLimitBytes: Int
    /// Whose it is on a bridge that several share.
    let tenant: String?
    private(set) var sessions: AgentSessions?

    private var process: ChildProcess
    private var exitWatch: Watch?
    var output: Inlet?
    var error: Inlet?
    var input: SharedOutlet?
    var editor: EditorLink?
    /// The last that the agent wrote to its standard error.
    var errorTail = ErrorTail()
    var lastOutput = Instant.now
    var guests: [Exchange.Guest: any AgentGuest] = [:]
    var guestCount = 0
    var answers = AnswerTable()
    var stay: StayMachine
    let permissionClock: PermissionClock
    private var stayTimer: Timer?
    private var silenceTimer: Timer?
    private var refusalTimer: Timer?
    private var ladder: TeardownLadder?
    private(set) var exit: TerminationStatus?
    private let ended: @LoopActor (AgentRun, TerminationStatus) -> Void
    /// Tells the editor's front that the agent goes on without it.
    var released: @LoopActor () -> Void = {}

    /// How an agent is ended when nobody needs it any more.
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
        name: String, tenant: String?, request: SpawnRequest, stay: StayPolicy, permissionLimit: Duration?,
        registry: SessionRegistry,
        ended: @escaping @LoopActor (AgentRun, TerminationStatus) -> Void
    ) throws(SpawnError) {
        process = try ChildProcess.spawn(request)
        pid = process.pid
        command = request.command
        record = AgentRecord.Agent(
            pid: pid, startTicks: ProcessTable.snapshot(of: pid)?.startTicks ?? 0, pipes: process.pipes)
        startedAt = wallClockMilliseconds()
        self.name = name
        self.tenant = tenant
        self.stay = StayMachine(policy: stay)
        permissionClock = PermissionClock(limit: permissionLimit)
        self.ended = ended
        lineLimitBytes = registry.limits.lineBytes
        sessions = AgentSessions(agent: name, tenant: tenant, pid: pid, registry: registry) { [weak self] in
            self?.logHasCaughtUp()
        } route: { [weak self] event in
            self?.route(event)
        }
    }

    /// An agent that the program before this one has started.
    init(
        _ state: State, registry: SessionRegistry, ended: @escaping @LoopActor (AgentRun, TerminationStatus) -> Void
    ) throws(SystemError) {
        process = try ChildProcess(adopting: state.record.pid, pipes: state.record.pipes)
        record = state.record
        pid = state.record.pid
        command = state.command
        startedAt = state.startedAt
        name = state.name
        tenant = state.tenant
        stay = state.stay
        permissionClock = PermissionClock(limit: state.permissionLimit)
        errorTail = state.errorTail
        guestCount = state.guestCount
        answers = AnswerTable(count: state.answerCount)
        self.ended = ended
        lineLimitBytes = registry.limits.lineBytes
        sessions = AgentSessions(state.sessions, agent: name, tenant: tenant, pid: pid, registry: registry) {
            [weak self] in
            self?.logHasCaughtUp()
        } route: { [weak self] event in
            self?.route(event)
        }
    }

    /// Joins the agent to its editor.
    func start(_ streams: consuming EditorStreams) throws(SystemError) {
        let link = EditorLink(streams, lineLimitBytes: lineLimitBytes) { [weak self] chunk in
            self?.editorWrote(chunk)
        } report: { [weak self] event in
            self?.editorReported(event)
        }
        editor = link
        try startAgent()
        try link.start()
    }

    /// Goes on with what the program before this one has handed over.
    func goOn(_ state: State) throws(SystemError) {
        if let state = state.editor {
            editor = EditorLink(state) { [weak self] chunk in
                self?.editorWrote(chunk)
            } report: { [weak self] event in
                self?.editorReported(event)
            }
        }
        try join(state.pipes)
        if let editor {
            try editor.start()
            editor.input.hold(.sinkIsFull, input?.outlet.isEmpty == false)
            output?.hold(.sinkIsFull, !editor.output.outlet.isEmpty)
            error?.hold(.sinkIsFull, !editor.error.isEmpty)
        }
        for guest in sessions?.exchange.guests.keys.sorted() ?? [] where guests[guest] == nil {
            sessions?.converse { $0.guestLeft(guest) }
        }
        guestsChanged()
    }

    /// Runs the agent for guests only, the first of whom is to come at once.
    func startForGuests() throws(SystemError) {
        sessions?.editorGone()
        try startAgent()
    }

    private func startAgent() throws(SystemError) {
        guard let agentInput = process.takeInput(), let agentOutput = process.takeOutput(),
            let agentError = process.takeError()
        else { return }
        let outlet = Outlet.State(fd: agentInput.release(), backlog: [], isClosing: false)
        try join(
            Pipes(
                input: SharedOutlet.State(
                    outlet: outlet, filter: LineFilter(limitBytes: lineLimitBytes), waiting: []),
                output: agentOutput.release(), error: agentError.release()))
    }

    /// The agent's pipes, our ends of them.
    struct Pipes: Codable {
        var input: SharedOutlet.State
        var output: Int32?
        var error: Int32?
    }

    private func join(_ pipes: Pipes) throws(SystemError) {
        exitWatch = try EventLoop.main.watch(process.exitDescriptor.raw, .readable, self)
        let output = Inlet(pipes.output) { [weak self] chunk in
            self?.outputArrived(chunk)
        } ended: { [weak self] in
            self?.outputEnded()
        }
        let error = Inlet(pipes.error) { [weak self] chunk in
            self?.errorArrived(chunk)
        } ended: { [weak self] in
            self?.errorEnded()
        }
        let input = SharedOutlet(pipes.input) { [weak self] event in self?.inputReported(event) }
        (self.output, self.error, self.input) = (output, error, input)
        try output.start()
        try error.start()
        try input.outlet.start()
    }

    // MARK: Who asks for the end

    /// Passes on a signal that the front was sent. TERM and HUP ask for the agent's end, which then comes in time.
    func signal(_ signal: Int32) {
        guard exit == nil else { return }
        // A terminal's window was closed, which is its end and not that of the work in it.
        if signal == SIGHUP, stay.outlivesEditor { return editorGone() }
        process.signalGroup(signal)
        if signal == SIGTERM || signal == SIGHUP {
            climb([
                TeardownStep(.wait, patience: .seconds(5)), TeardownStep(.signalGroup(SIGKILL), patience: .zero),
            ])
        }
    }

    /// The editor is gone for good. The agent goes on while it has work or company.
    func editorGone() {
        if let editor {
            self.editor = nil
            editor.close()
            input?.endPartialLine()
            sessions?.editorGone()
            output?.hold(.sinkIsFull, false)
            error?.hold(.sinkIsFull, false)
        }
        stay.hasEditor = false
        stay.inputHasEnded = false
        reconsider()
        finishIfDone()
    }

    /// It is told to end, or nobody needs it any more.
    func end() { climb(Self.farewell) }

    /// The agent could not be joined to its editor.
    func giveUp() {
        process.signalGroup(SIGKILL)
        guard exitWatch == nil else { return editorGone() }
        exit = process.reap()
        leave(.signaled(signal: SIGKILL))
    }

    // MARK: Whether it goes on

    /// It is on its way out.
    var isEnding: Bool { exit != nil || ladder != nil }

    /// Something has changed that decides whether the agent goes on.
    func reconsider() {
        stayTimer?.cancel()
        stayTimer = nil
        guard !isEnding, let sessions else { return }
        stay.hasTurn = sessions.exchange.hasRunningTurn
        refuseUnservableInTime()
        cancelPermissionsInTime()
        switch stay.verdict {
        case .stay: break
        case .closeInput:
            input?.outlet.closeWhenEmpty()
            endIfSilent()
        case .detachEditor:
            released()
            editorGone()
        case .end(let delay):
            guard delay > .zero else { return end() }
            stayTimer = EventLoop.main.schedule(after: delay) { [weak self] in self?.end() }
        }
    }

    /// What only a primary can do waits for one, but not for ever: the turn would never end.
    private func refuseUnservableInTime() {
        guard sessions?.exchange.awaitsPrimary == true, refusalTimer == nil else { return }
        refusalTimer = EventLoop.main.schedule(after: stay.policy.patience) { [weak self] in
            self?.refusalTimer = nil
            self?.sessions?.converse { $0.refuseUnservable("no editor is there to do this any more") }
        }
    }

    private func cancelPermissionsInTime() {
        guard permissionClock.limit != nil, let exchange = sessions?.exchange else { return }
        permissionClock.run(for: exchange.isUnattended ? exchange.pendingPermissions : []) { [weak self] key in
            self?.sessions?.converse { $0.permissionLapsed(key.id, since: key.since) }
        }
    }

    private func endIfSilent() {
        guard sessions?.isIdle == true, !isEnding, silenceTimer == nil else { return }
        let rest = Self.silenceAfterInput - (Instant.now - lastOutput)
        guard rest > .zero else { return end() }
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
        case .closeInput:
            editor?.input.close()
            input?.outlet.closeWhenEmpty()
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
            guard let self, self.sessions != nil, let editor = self.editor else { return }
            let now = editor.passedBytes
            guard now == passed else { return self.endUnlessRead(from: now) }
            self.editorGone()
        }
    }

    /// The agent's process has exited.
    func pollReady(_ watch: Watch, _ readiness: Readiness) {
        guard exit == nil else { return }
        watch.cancel()
        exit = process.reap()
        ladder?.processEnded()
        input?.outlet.drop()
        editor?.input.close()
        error?.finishWhenEmpty()
        output?.finishWhenEmpty()
        if ladder != nil, let editor { endUnlessRead(from: editor.passedBytes) }
        finishIfDone()
    }

    func finishIfDone() {
        guard let exit, output?.hasEnded == true, error?.hasEnded == true, editor?.isDone != false else { return }
        leave(exit)
    }

    private func leave(_ exit: TerminationStatus) {
        guard let sessions else { return }
        tellGuests(exit)
        self.sessions = nil
        (output, error, input, editor) = (nil, nil, nil, nil)
        stayTimer?.cancel()
        switch exit {
        case .exited(let code): sessions.end(.exited(code: code))
        case .signaled(let signal): sessions.end(.signaled(signal: signal))
        }
        ended(self, exit)
    }
}
