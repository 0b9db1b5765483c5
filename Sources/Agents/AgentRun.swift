import ACPRouting
import AgentProcess
import EventLoop
import Glibc
import Posix
import SessionStreams
import Tinyvex

/// One running agent with its clients: its editor, and guests. Bytes between agent and editor pass unchanged; guests
/// exchange whole lines with the agent. A copy of all traffic goes to the sessions. This type also decides when the
/// agent must end.
@LoopActor package final class AgentRun: PollHandler {
    package let name: String
    package let pid: pid_t
    package let command: [SystemString]
    /// The entry in the agents' file, with which a later bridge finds this agent's leftover processes.
    let record: AgentRecord.Agent
    package let startedAt: Int64
    let lineLimitBytes: Int
    /// The tenant that owns the agent, on a bridge that several tenants share.
    package let tenant: String?
    package private(set) var sessions: AgentSessions?

    private var process: ChildProcess
    private var exitWatch: Watch?
    var output: Inlet?
    var error: Inlet?
    var input: SharedOutlet?
    var editor: EditorLink?
    /// The end of the agent's standard error.
    package var errorTail = ErrorTail()
    var lastOutput = Instant.now
    package var guests: [Exchange.Guest: any AgentGuest] = [:]
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
    /// Notifies the editor's shim that the agent continues without the editor.
    package var released: @LoopActor () -> Void = {}

    /// The steps that end an agent that is not needed.
    private static let farewell = [
        TeardownStep(.closeInput, patience: .seconds(3)),
        TeardownStep(.signalGroup(SIGTERM), patience: .seconds(2)),
        TeardownStep(.signalGroup(SIGKILL), patience: .zero),
    ]

    /// An editor that has closed only its end of the input can still read. If the agent owes that editor no answer, the
    /// agent ends after this time without output.
    private static let silenceAfterInput = Duration.seconds(10)

    /// An editor that has asked for the agent's end must read some of the remaining output within this time.
    private static let readingPatience = Duration.seconds(2)

    /// - Parameter ended: Called once, when the agent has exited and either the editor has received all output or the
    ///   editor has gone.
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

    /// Continues an agent that the previous program started and handed over.
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

    /// Connects the agent to its editor.
    package func start(_ streams: consuming EditorStreams) throws(SystemError) {
        let link = EditorLink(streams, lineLimitBytes: lineLimitBytes) { [weak self] chunk in
            self?.editorWrote(chunk)
        } report: { [weak self] event in
            self?.editorReported(event)
        }
        editor = link
        try startAgent()
        try link.start()
    }

    /// Resumes the streams that the previous program handed over.
    package func goOn(_ state: State) throws(SystemError) {
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

    /// Starts the agent without an editor. The first guest must come at once.
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

    /// Our ends of the agent's pipes.
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

    // MARK: Requests to end

    /// Forwards a signal that the shim received. After SIGTERM and SIGHUP the agent must end; it is killed after a time
    /// limit.
    package func signal(_ signal: Int32) {
        guard exit == nil else { return }
        // SIGHUP means that a terminal's window was closed. It does not end the work that runs in the agent.
        if signal == SIGHUP, stay.outlivesEditor { return editorGone() }
        process.signalGroup(signal)
        if signal == SIGTERM || signal == SIGHUP {
            climb([
                TeardownStep(.wait, patience: .seconds(5)), TeardownStep(.signalGroup(SIGKILL), patience: .zero),
            ])
        }
    }

    /// Handles the editor's final disconnection. The agent continues while it has work or other clients.
    package func editorGone() {
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

    /// Ends the agent, on request or because it is not needed.
    package func end() { climb(Self.farewell) }

    /// Kills the agent, because it could not be connected to its editor.
    package func giveUp() {
        process.signalGroup(SIGKILL)
        guard exitWatch == nil else { return editorGone() }
        exit = process.reap()
        leave(.signaled(signal: SIGKILL))
    }

    // MARK: Lifetime

    /// True if the agent has exited or is being ended.
    package var isEnding: Bool { exit != nil || ladder != nil }

    /// Call after a change that can affect the agent's lifetime.
    package func reconsider() {
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

    /// Refuses requests that need a primary if no primary comes in time. Otherwise the turn would never end.
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

    // MARK: Ending

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

    /// Call after a requested end. Stops waiting for an editor that does not read the remaining output.
    private func endUnlessRead(from passed: Int) {
        EventLoop.main.schedule(after: Self.readingPatience) { [weak self] in
            guard let self, self.sessions != nil, let editor = self.editor else { return }
            let now = editor.passedBytes
            guard now == passed else { return self.endUnlessRead(from: now) }
            self.editorGone()
        }
    }

    /// Called when the agent's process has exited.
    package func pollReady(_ watch: Watch, _ readiness: Readiness) {
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
