import ACPRouting
import AgentProcess
import EventLoop
import Glibc
import JSONRPC
import JSONScan
import PermissionRules
import Posix
import SessionStreams
import TextSearch
import WireLogging

/// One running agent with its clients: its editor, and remote clients. Bytes between agent and editor pass unchanged;
/// remote clients exchange whole lines with the agent. A copy of all traffic goes to the sessions.
///
/// The parts do the work: ``AgentChild`` has the process, ``AgentPipes`` the bytes, ``AgentSessions`` the sessions,
/// ``AgentClients`` the remote clients, and ``AgentLifetime`` decides when the agent must end. This type connects them.
@LoopActor package final class AgentRun {
    /// Nil after the agent has left.
    package private(set) var sessions: AgentSessions?
    /// Notifies the editor's shim that the agent continues without the editor, and with which status the shim must end.
    package var released: @LoopActor (TerminationStatus) -> Void = { _ in }

    /// How the agent is started again after a failure. Nil if it is not.
    var restartPlan: RestartPlan?
    /// Set while the agent has not opened the session for which it was started.
    package var purpose: SessionPurpose?
    /// The sessions to continue, if the agent has failed while no client had it. Nil while it runs.
    private(set) var interruptedWork: InterruptedWork?
    /// True if the agent has failed while no client had it.
    private(set) var hasFailedUnattended = false

    private let identity: AgentIdentity
    private let child: AgentChild
    private let pipes: AgentPipes
    private let lifetime: AgentLifetime
    private var clients: AgentClients
    private let judge: RuleJudge
    private let wireLog: WireLogRequest?
    private let loop: LoopServices
    private let ended: @LoopActor (AgentRun, TerminationStatus) -> Void

    /// An editor that has asked for the agent's end must read some of the remaining output within this time.
    private static let readingPatience = Duration.seconds(2)

    /// - Parameter ended: Called once, when the agent has exited and either the editor has received all output or the
    ///   editor has gone.
    init(
        name: String, tenant: String?, request: SpawnRequest, lifetime policy: LingerPolicy,
        permissionLimit: PermissionLimit = PermissionLimit(), permissionRules: PermissionRules = PermissionRules(),
        wireLog: WireLogRequest? = nil,
        registry: SessionRegistry, loop: LoopServices = .main,
        ended: @escaping @LoopActor (AgentRun, TerminationStatus) -> Void
    ) throws(SpawnError) {
        child = try AgentChild(request, loop: loop)
        identity = AgentIdentity(
            name: name, tenant: tenant, command: request.command, record: child.record,
            startedAt: loop.time.dateMilliseconds)
        let sessions = AgentSessions(of: identity, registry: registry, time: loop.time)
        self.sessions = sessions
        self.wireLog = wireLog
        pipes = AgentPipes(
            sessions: sessions, lineLimitBytes: registry.limits.lineBytes, wireLog: wireLog,
            steadySources: registry.steadySources, loop: loop)
        lifetime = AgentLifetime(
            LifetimeMachine(policy: policy), permissionLimit: permissionLimit, restLimit: registry.limits.background,
            loop: loop)
        clients = AgentClients()
        judge = RuleJudge(permissionRules, agent: name)
        self.loop = loop
        self.ended = ended
        connect()
    }

    /// Continues an agent that the previous program started and handed over.
    init(
        _ state: State, bridgePermissionLimit: Duration? = nil, permissionRules: PermissionRules = PermissionRules(),
        registry: SessionRegistry,
        loop: LoopServices = .main,
        ended: @escaping @LoopActor (AgentRun, TerminationStatus) -> Void
    ) throws(SystemError) {
        child = try AgentChild(adopting: state.record, loop: loop)
        identity = AgentIdentity(
            name: state.name, tenant: state.tenant, command: state.command, record: state.record,
            startedAt: state.startedAt)
        let sessions = AgentSessions(state.sessions, of: identity, registry: registry, time: loop.time)
        self.sessions = sessions
        pipes = AgentPipes(
            sessions: sessions, lineLimitBytes: registry.limits.lineBytes, errorTail: state.errorTail,
            wireLog: state.wireLog, steadySources: registry.steadySources, loop: loop)
        wireLog = state.wireLog
        lifetime = AgentLifetime(
            state.lifetime, permissionLimit: state.permissionLimit(ofBridge: bridgePermissionLimit),
            restLimit: registry.limits.background, loop: loop)
        judge = RuleJudge(permissionRules, agent: state.name)
        clients = AgentClients(admittedCount: state.clientCount, requestCount: state.answerCount)
        restartPlan = state.restartPlan
        self.loop = loop
        self.ended = ended
        connect()
    }

    private func connect() {
        sessions?.drained = { [weak self] in self?.pipes.logHasCaughtUp() }
        sessions?.deliver = { [weak self] in self?.deliver($0) }
        child.report = { [weak self] in self?.handle($0) }
        pipes.report = { [weak self] in self?.handle($0) }
        pipes.errorReader = { [weak self] in self?.notifyPrimary(ofError: $0) }
        lifetime.router = { [weak self] in
            guard let self, !self.isEnding else { return nil }
            return self.sessions?.router
        }
        lifetime.perform = { [weak self] in self?.perform($0) }
        lifetime.consultRules = { [weak self] in self?.consultRules() }
    }

    // MARK: Facts

    package var name: String { identity.name }
    package var pid: pid_t { identity.pid }
    package var command: [SystemString] { identity.command }
    /// The tenant that owns the agent, on a bridge that several tenants share.
    package var tenant: String? { identity.tenant }
    package var startedAt: Int64 { identity.startedAt }
    /// The entry in the agents' file, with which a later bridge finds this agent's leftover processes.
    var record: AgentRecord.Agent { identity.record }
    /// The end of the agent's standard error.
    package var errorTail: ErrorTail { pipes.errorTail }
    /// The way in which the agent's process ended. Nil while it runs.
    package var exit: TerminationStatus? { child.exit }
    /// True if the agent has exited or is being ended.
    package var isEnding: Bool { child.isEnding }

    /// True if the agent is ending: also if its editor has closed the input and awaits no answer, so that the agent ends of itself.
    package var isLeaving: Bool {
        isEnding || (lifetime.machine.verdict == .closeInput && sessions?.router.isIdle != false)
    }

    /// True if the agent has not opened the one session for which the bridge has started it.
    package var isStarting: Bool { purpose != nil }

    /// True if the agent continues without an editor until it is stopped, as one that `acpbridge run` has started.
    var staysUntilStopped: Bool { lifetime.machine.policy == .keep }

    // MARK: Starting

    /// Connects the agent to its editor.
    ///
    /// - Parameters:
    ///   - answered: The editor's first lines, if the bridge has read and answered them. The agent receives them too, and
    ///     its answers are withheld.
    ///   - unanswered: The bytes that the bridge has read after them.
    package func start(
        _ streams: ReleasedStreams, answered: [UInt8] = [], unanswered: [UInt8] = []
    ) throws(SystemError) {
        pipes.attach(streams)
        try startAgent()
        try pipes.startEditor()
        pipes.holdFullReaders()
        pipes.editorWrote(answered: answered, unanswered: unanswered)
    }

    /// Starts the agent without an editor. The first remote client must come at once.
    func startForRemoteClient() throws(SystemError) {
        sessions?.editorGone()
        try startAgent()
    }

    /// Starts the agent without any client. The time that it can run without one begins now.
    func startUnattended() throws(SystemError) {
        try startForRemoteClient()
        // An agent that is left idle would end at once, so another client leaves first.
        lifetime.clientsChanged(hasEditor: false, hasOthers: true)
        clientsChanged()
    }

    private func startAgent() throws(SystemError) {
        try child.watch()
        try child.start(pipes)
    }

    /// Resumes the streams that the previous program handed over.
    package func resume(_ state: State) throws(SystemError) {
        if let editor = state.editor { pipes.attach(editor) }
        try child.watch()
        try pipes.start(state.pipes)
        try pipes.startEditor()
        pipes.holdFullReaders()
        for client in sessions?.router.clientNumbers ?? [] where clients.all[client] == nil {
            sessions?.withRouter { $0.clientLeft(client) }
        }
        clientsChanged()
    }

    /// Pauses or resumes reading from the agent and from the editor.
    package func pause(_ isHeld: Bool) { pipes.pause(isHeld) }

    /// False while there is no ``state``, which takes far longer to make.
    package var canBeHandedOver: Bool { !isEnding && pipes.isStarted && sessions?.openings.isWaiting == false }

    /// The state for the hand-over. Nil if the agent is ending.
    package var state: State? {
        guard !isEnding, let sessions, let pipesState = pipes.state else { return nil }
        return State(
            name: name, record: record, command: command, startedAt: startedAt, tenant: tenant,
            lifetime: lifetime.machine, permissionLimit: lifetime.permissionLimit.time,
            hasOwnPermissionLimit: lifetime.permissionLimit.isOwn, pipes: pipesState, editor: pipes.editorState,
            errorTail: errorTail, clientCount: clients.admittedCount,
            answerCount: clients.requestCount, sessions: sessions.state, wireLog: wireLog,
            restartPlan: restartPlan, wasStarting: isStarting ? true : nil)
    }

    // MARK: Remote clients

    package var remoteClients: [RequestRouter.ClientNumber: any AgentClient] { clients.all }

    /// Admits a remote client to the agent and returns its number.
    ///
    /// - Parameter isPrimary: The client has started the agent. Without a primary, an agent with `--linger 0` would end.
    package func admit(
        _ client: any AgentClient, name: String, isPrimary: Bool = false
    ) -> RequestRouter.ClientNumber {
        let number = clients.admit(client)
        sessions?.withRouter { router in
            router.clientAttached(number, name: name)
            return isPrimary ? router.clientTookOver(number) : []
        }
        clientsChanged()
        return number
    }

    /// Reconnects a remote client that the previous program admitted under this number.
    package func readmit(_ client: any AgentClient, as number: RequestRouter.ClientNumber) {
        clients.readmit(client, as: number)
    }

    /// Makes the remote client the primary: it receives the agent's requests from now on.
    ///
    /// - Parameter capabilities: The client's capabilities. Nil if they are not known.
    package func makePrimary(
        _ client: RequestRouter.ClientNumber, announcing capabilities: Set<ClientCapability>? = nil
    ) {
        sessions?.withRouter { $0.clientTookOver(client, announcing: capabilities) }
        clientsChanged()
    }

    package func dismiss(_ client: RequestRouter.ClientNumber) {
        guard clients.remove(client) else { return }
        sessions?.withRouter { $0.clientLeft(client) }
        clientsChanged()
    }

    private func clientsChanged() {
        let primary = sessions?.router.primary
        lifetime.clientsChanged(
            hasEditor: pipes.hasEditor || primary != nil, hasOthers: clients.hasOthers(than: primary))
    }

    /// The name of the client that answers the agent's requests: `editor`, or a remote client's name. Nil if there is
    /// none.
    package var primaryName: String? { pipes.hasEditor ? "editor" : sessions?.router.primaryName }

    /// 64 MiB: the longest line. An editor is not read while bytes wait for its agent. All other parties must not add to them
    /// from this limit on, so that an agent that does not read cannot fill the memory.
    private static let inputLimitBytes = 64 << 20

    /// True if messages to the agent must be refused: see ``ClientRefusal/inputIsFull``.
    package var isInputFull: Bool { pipes.inputBytes >= Self.inputLimitBytes }

    /// True if the agent runs without an editor and without a primary, so that the next client can take it over.
    package var isKept: Bool {
        !pipes.hasEditor && !isEnding && sessions != nil && sessions?.router.primary == nil
    }

    private func deliver(_ delivery: RequestRouter.Delivery) {
        switch delivery {
        case .toAgent(let line): pipes.writeToAgent(line)
        case .toEditor(let line): pipes.writeToEditor(line)
        case .toClient(let number, let line, let session):
            clients.all[number]?.agentSent(line, after: session.flatMap { sessions?.sessions[$0] }, of: self)
        case .childToClient(let number, let child, let parent, let isNew):
            guard let child = sessions?.sessions[child], let parent = sessions?.sessions[parent] else { return }
            clients.all[number]?.childOpened(child, of: parent, isNew: isNew)
        case .promptToClients(let session, let params, let sender):
            guard let session = sessions?.sessions[session] else { return }
            let prompt = PromptParams.bounded(params, to: Session.entryLimitBytes)
            for (number, client) in clients.all where number != sender { client.othersPrompted(prompt, in: session) }
        case .answered(let number, let reply): clients.takeAnswerHandler(number)?(reply)
        }
    }

    private func notifyPrimary(ofError text: UnsafeRawBufferPointer) {
        guard let primary = sessions?.router.primary else { return }
        clients.all[primary]?.agentWroteError(text, of: self)
    }

    // MARK: The bridge's own requests

    private static let hasEnded = Reply(error: .internalError, "the agent has ended")

    /// Sends a prompt for a client that does not speak ACP itself. `finish` receives the agent's answer when the turn
    /// has ended.
    package func prompt(
        session: String, params: JSONValue, by name: String, queues: Bool,
        then finish: @escaping @LoopActor (Reply) -> Void
    ) throws(ClientRefusal) {
        guard let sessions else { return finish(Self.hasEnded) }
        guard !isInputFull else { throw .inputIsFull }
        let number = clients.addRequest(finish)
        do throws(ClientRefusal) {
            try sessions.withRouter { (router) throws(ClientRefusal) in
                try router.bridgePrompts(
                    number, session, params, by: name, queues: queues, at: loop.time.dateMilliseconds)
            }
        } catch {
            _ = clients.takeAnswerHandler(number)
            throw error
        }
        reconsider()
    }

    /// Cancels the session's turn for a client that does not speak ACP itself.
    package func cancel(_ session: String, by name: String) throws(ClientRefusal) {
        guard !isInputFull else { throw .inputIsFull }
        try sessions?.withRouter { (router) throws(ClientRefusal) in
            try router.cancel(session, by: name, at: loop.time.dateMilliseconds)
        }
        reconsider()
    }

    /// Removes a prompt that waits in the session's queue. Its sender gets the error -32800.
    package func unqueue(_ prompt: QueuedPrompt, in session: String) {
        sessions?.withRouter { $0.unqueue(prompt, in: session) }
        reconsider()
    }

    /// Sends a request of the bridge's own.
    package func ask(
        _ method: String, _ params: JSONValue?, by name: String, then finish: @escaping @LoopActor (Reply) -> Void
    ) {
        guard let sessions else { return finish(Self.hasEnded) }
        guard !isInputFull else { return finish(Reply(error: .internalError, ClientRefusal.inputIsFull.message)) }
        let number = clients.addRequest(finish)
        sessions.withRouter { $0.bridgeRequests(number, method, params, by: name, at: loop.time.dateMilliseconds) }
    }

    // MARK: Lifetime

    /// Call after the agent has opened the session for which it was started. It continues until it is stopped, also without any
    /// client.
    package func openedSession() {
        guard let purpose else { return }
        self.purpose = nil
        restartPlan = purpose.restartPlan
        lifetime.keep()
    }

    /// Call after a change that can affect the agent's lifetime.
    package func reconsider() { lifetime.reconsider() }

    private func perform(_ action: AgentLifetime.Action) {
        switch action {
        case .closeInput: pipes.closeInput()
        case .detachEditor:
            guard pipes.editorHasAll else { return }
            released(.exited(code: 0))
            editorGone()
        case .end: end()
        case .refuseUnservable:
            sessions?.withRouter { $0.refuseUnservable("the editor that could do this has disconnected") }
        case .cancelPermission(let key): sessions?.withRouter { $0.permissionLapsed(key.id, since: key.since) }
        case .expire:
            sessions?.withRouter { $0.expire(at: loop.time.dateMilliseconds) }
            reconsider()
        }
    }

    private func consultRules() {
        guard judge.hasRules, !isEnding, let sessions else { return }
        judge.answer(in: sessions)
    }

    private func handle(_ event: AgentPipes.Event) {
        switch event {
        case .agentWrote:
            consultRules()
            if let sessions { lifetime.agentWrote(sessions.workSummary) }
        case .editorWrote: lifetime.editorWrote(hasRunningTurn: sessions?.router.hasRunningTurn == true)
        case .editorEndedInput: lifetime.editorEndedInput()
        case .editorTookOutput: lifetime.editorTookOutput()
        case .editorStoppedReading: editorStoppedReading()
        case .streamEnded: finishIfDone()
        }
    }

    private func editorStoppedReading() {
        guard !isEnding, lifetime.outlivesEditor else {
            pipes.closeOutput()
            return end()
        }
        released(.exited(code: 0))
        editorGone()
    }

    /// Handles the editor's final disconnection. The agent continues while it has work or other clients.
    package func editorGone() {
        pipes.detachEditor()
        lifetime.editorGone()
        finishIfDone()
    }

    // MARK: Ending

    /// Ends the agent, on request or because it is not needed.
    package func end() { child.end() }

    /// Ends the agent if it has neither a session nor a client that could open one. Call after a session was closed on request.
    package func endIfUnused() {
        guard isKept, clients.all.isEmpty, sessions?.sessions.values.contains(where: \.isLive) == false else { return }
        end()
    }

    /// Forwards a signal that the shim received. After SIGTERM and SIGHUP the agent must end; it is killed after a time
    /// limit.
    ///
    /// SIGTERM and SIGHUP mean that the editor or its terminal is being closed. They do not end the work of an agent that
    /// outlives its editor: the shim ends by the signal, and the agent continues.
    package func signal(_ signal: Int32) {
        guard isEditorsEnd(signal) else { return child.signal(signal) }
        released(.signaled(signal: signal))
        editorGone()
    }

    /// True if a signal that a shim received ends only the editor, because the agent continues without it.
    package func isEditorsEnd(_ signal: Int32) -> Bool {
        (signal == SIGHUP || signal == SIGTERM) && !isEnding && lifetime.outlivesEditor
    }

    /// Kills the agent, because it could not be connected to its editor.
    package func giveUp() {
        if child.kill() { leave(.signaled(signal: SIGKILL)) } else { editorGone() }
    }

    private func handle(_ event: AgentChild.Event) {
        switch event {
        case .inputMustClose: pipes.closeInputs()
        case .exited:
            pipes.agentExited()
            if child.isBeingEnded, let passed = pipes.editorPassedBytes { endUnlessRead(from: passed) }
            finishIfDone()
        }
    }

    /// Call after a requested end. Stops waiting for an editor that does not read the remaining output.
    private func endUnlessRead(from passed: Int) {
        loop.timers.schedule(after: Self.readingPatience) { [weak self] in
            guard let self, self.sessions != nil, let now = self.pipes.editorPassedBytes else { return }
            guard now == passed else { return self.endUnlessRead(from: now) }
            self.editorGone()
        }
    }

    private func finishIfDone() {
        guard let exit, pipes.areDone else { return }
        leave(exit)
    }

    private func leave(_ exit: TerminationStatus) {
        guard let sessions else { return }
        hasFailedUnattended = isFailureWithoutClient(exit)
        if hasFailedUnattended { interruptedWork = sessions.interruptedWork }
        notifyClients(exit)
        self.sessions = nil
        pipes.release()
        lifetime.stop()
        switch exit {
        case .exited(let code): sessions.end(.exited(code: code))
        case .signaled(let signal): sessions.end(.signaled(signal: signal))
        }
        ended(self, exit)
    }

    /// A signal or a status other than 0, without a request to end.
    private func isFailureWithoutClient(_ exit: TerminationStatus) -> Bool {
        exit != .exited(code: 0) && !child.isBeingEnded && !pipes.hasEditor && sessions?.router.primary == nil
    }

    private func notifyClients(_ status: TerminationStatus) {
        sessions?.withRouter { $0.agentEnded(endMessage(status)) }
        for client in Array(clients.all.values) { client.agentEnded(self, status) }
        clients.removeAll()
    }

    /// Explains to the person who sent a request why it will not be answered: how the agent ended, and the end of its
    /// standard error.
    package func endMessage(_ status: TerminationStatus) -> String {
        let end =
            switch status {
            case .exited(let code): "\(name) has exited with status \(code)"
            case .signaled(let signal): "\(name) was ended by signal \(signal)"
            }
        let words = errorTail.text.filledLines.suffix(5).joined(separator: "\n")
        return words.isEmpty ? end : "\(end); it wrote last:\n\(words)"
    }
}
