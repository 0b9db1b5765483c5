import Access
import AgentProcess
import Agents
import Connections
import Diagnostics
import EventLoop
import Glibc
import JSONRPC
import Posix

/// The bridge, reduced to the members that the connections of stdio shims need.
@LoopActor protocol ShimHost: AnyObject {
    var services: ClientServices { get }
    /// The id of the user who runs the bridge.
    var user: UInt32 { get }
    /// Returns the kept agents that a stdio shim with this request can take over.
    func offer(for request: LaunchRequest) -> EditorChoice.Offer
    /// Creates the transport of an editor that is served as a client of `/acp`.
    func messageTransport() -> MessageTransport
    /// Serves an editor as a client of `/acp`. The client's own agent is the agent that the request asks for.
    func addEditor(_ transport: MessageTransport, _ request: LaunchRequest) -> ClientConnection
    func shimClosed(_ shim: ShimConnection)
}

/// The daemon's end of the connection to a stdio shim. It receives the shim's launch request and the editor's streams,
/// forwards signals to the agent, and reports to the shim how the agent ended. If the shim disconnects, the editor has
/// gone.
@LoopActor package final class ShimConnection: PollHandler {
    private let stream: ByteStream
    private let host: any ShimHost
    private let permit: ConnectionPermit
    private var lines: LineSplitter
    private var descriptors: [Int32]
    private var watch: Watch?
    private var run: AgentRun?
    /// Non-nil if the editor has taken over a running agent, or can do so.
    private var editor: EditorAdapter?
    /// The launch request, if the editor is served as a client of `/acp`. `connection` is then that client.
    private var request: LaunchRequest?
    private weak var connection: ClientConnection?
    private var hasLaunched = false
    private var isClosed = false

    /// - Parameter descriptors: the descriptors received so far. More can come with the launch request.
    init(
        stream: consuming ByteStream, descriptors: [Int32], permit: ConnectionPermit, host: any ShimHost
    ) {
        self.permit = permit
        self.stream = stream
        self.descriptors = descriptors
        self.host = host
        lines = LineSplitter(limitBytes: host.services.limits.launchBytes)
    }

    /// Restores a shim connection. The previous program started its agent.
    init(_ state: State, permit: ConnectionPermit, host: any ShimHost) {
        self.permit = permit
        stream = ByteStream(Descriptor(owning: state.fd))
        lines = state.lines
        descriptors = []
        hasLaunched = true
        self.host = host
        if let agent = state.agent, let run = host.services.agents.run(pid: agent) { connect(to: run) }
    }

    /// Restores a shim that was served as a client of `/acp`.
    func restoreEditor(from state: EditorAdapter.State) throws(SystemError) {
        guard let request = LaunchRequest(json: state.request) else { return close() }
        let editor = addEditor(request, lines: state.lines)
        if let undecided = state.undecided { letChoose(editor, request, undecided) }
        connection?.restoreRemoteClient(from: state.link)
        try editor.start(ReleasedStreams(input: state.input, output: state.output, error: state.error))
    }

    /// Serves the editor as a client of `/acp`.
    private func addEditor(_ request: LaunchRequest, lines: LineSplitter) -> EditorAdapter {
        let editor = EditorAdapter(host.messageTransport(), lines: lines) { [weak self] in self?.agentEnded($0) }
        self.editor = editor
        self.request = request
        connection = host.addEditor(editor.transport, request)
        editor.awaitsAnswer = { [weak self] in self?.connection?.awaitsAnswer == true }
        connection?.errorText = { [weak editor] in editor?.writeError($0) }
        return editor
    }

    func serves(_ run: AgentRun) -> Bool { self.run === run }

    /// The hand-over state for the next program.
    package struct State: Codable {
        var fd: Int32
        var lines: LineSplitter
        /// The process id of the agent.
        var agent: Int32?
        var editor: EditorAdapter.State?

        /// The names in a hand-over's JSON. They stay the names of the first format.
        private enum CodingKeys: String, CodingKey {
            case fd, lines, agent, editor = "guest"
        }
    }

    /// Nil if the shim has no agent yet, or if its agent has ended.
    package var state: State? {
        if let run { return State(fd: stream.fd, lines: lines, agent: run.pid) }
        return editorState.map { State(fd: stream.fd, lines: lines, editor: $0) }
    }

    /// Nil while data is in transit between the editor and the bridge.
    private var editorState: EditorAdapter.State? {
        guard let editor, let request, editor.isQuiet, let link = connection?.remoteClientState else {
            return nil
        }
        return EditorAdapter.State(
            input: editor.input?.state, output: editor.output?.state, error: editor.error?.state,
            lines: editor.lines, undecided: editor.undecided?.state, request: request.json(), link: link)
    }

    /// True if the editor has taken over an agent and cannot be handed over yet.
    package var hasUnsettledEditor: Bool { editor != nil && editorState == nil }

    package func pause(_ isHeld: Bool) { editor?.input?.hold(.isHandedOver, isHeld) }

    /// - Parameter remainder: bytes that the shim sent directly after the handshake.
    func start(remainder: [UInt8]) {
        let watch = orLog("watching a stdio shim") { try host.services.loop.poller.watch(stream.fd, .readable, self) }
        guard let watch else { return close() }
        self.watch = watch
        remainder.withUnsafeBytes { received($0) }
    }

    package func pollReady(_ watch: Watch, _ readiness: Readiness) {
        let chunk = host.services.loop.poller.readChunk
        switch DescriptorPassing.receive(into: chunk, on: stream.fd, appendingTo: &descriptors) {
        case .bytes(let count): received(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        case .wouldBlock: break
        case .endOfStream, .failed: close()
        }
    }

    private func received(_ bytes: UnsafeRawBufferPointer) {
        var complete: [[UInt8]] = []
        var isOversized = false
        lines.split(bytes) { line in
            switch line {
            case .line(let line): complete.append(line.withUnsafeBufferPointer { Array($0) })
            case .oversized: isOversized = true
            }
        }
        if isOversized { refuse("the launch request is too long", status: 126) }
        for line in complete where !isClosed { handle(line) }
    }

    private func handle(_ line: [UInt8]) {
        if hasLaunched {
            if let signal = ShimSignal(json: line) { handle(signal: signal.signal) }
        } else if let request = LaunchRequest(json: line) {
            hasLaunched = true
            launch(request)
        } else {
            refuse("the launch request is malformed", status: 126)
        }
    }

    /// Forwards a signal to the editor's agent. An editor without an agent ends by the signal.
    private func handle(signal: Int32) {
        if let run { return run.signal(signal) }
        guard let editor else { return }
        if let own = connection?.ownAgent, !own.isEditorsEnd(signal) { return own.signal(signal) }
        editor.end(.signaled(signal: signal))
    }

    private func launch(_ request: LaunchRequest) {
        guard let streams = takeStreams()?.release() else {
            return refuse("a stdio shim must pass three pipes or sockets", status: 126)
        }
        if host.offer(for: request).version != nil { return letChoose(request, streams) }
        launch(request, streams, answered: [], unanswered: [])
    }

    /// Starts the editor's own agent.
    ///
    /// - Parameters:
    ///   - answered: the editor's lines that the bridge has answered.
    ///   - unanswered: the bytes that the editor wrote after them.
    private func launch(
        _ request: LaunchRequest, _ streams: ReleasedStreams, answered: [UInt8], unanswered: [UInt8]
    ) {
        do throws(SpawnError) {
            let run = try host.services.agents.launch(request) { [weak self] in self?.agentEnded($0) }
            connect(to: run)
            host.services.audit.record(
                .agentStarted(agent: run.name, pid: run.pid), by: .localUser(host.user))
            notify(.started(pid: run.pid))
            do throws(SystemError) {
                try run.start(streams, answered: answered, unanswered: unanswered)
            } catch {
                run.giveUp()
                refuse("the editor's streams cannot be used: \(error)", status: 126)
            }
        } catch {
            streams.close()
            refuse(error.description, status: error.exitStatus)
        }
    }

    private func connect(to run: AgentRun) {
        self.run = run
        run.released = { [weak self] in self?.agentEnded($0) }
    }

    /// Lets the editor choose, because an agent of this kind runs without an editor. The editor's first lines show
    /// whether it wants that agent. If not, the editor gets its own agent, as if there were no other.
    private func letChoose(_ request: LaunchRequest, _ streams: ReleasedStreams) {
        let editor = addEditor(request, lines: LineSplitter(limitBytes: host.services.limits.lineBytes))
        letChoose(editor, request, UndecidedEditor.State())
        do throws(SystemError) {
            try editor.start(streams)
            notify(.started(pid: getpid()))
        } catch {
            refuse("the editor's streams cannot be used: \(error)", status: 126)
        }
    }

    private func letChoose(_ editor: EditorAdapter, _ request: LaunchRequest, _ state: UndecidedEditor.State) {
        editor.chooses(state) { [weak host] in
            host?.offer(for: request) ?? EditorChoice.Offer()
        } startAgent: { [weak self] streams, answered, unanswered in
            guard let self else { return streams.close() }
            (self.editor, self.request, self.connection) = (nil, nil, nil)
            self.launch(request, streams, answered: answered, unanswered: unanswered)
        }
    }

    private func takeStreams() -> EditorStreams? {
        let fds = descriptors
        descriptors = []
        guard fds.count == 3, fds.allSatisfy({ DescriptorKind(of: $0) != .other }) else {
            for fd in fds { Glibc.close(fd) }
            return nil
        }
        for fd in fds where DescriptorKind(of: fd) == .pipe { setNonBlocking(fd) }
        return EditorStreams(
            input: ByteStream(Descriptor(owning: fds[0])), output: ByteStream(Descriptor(owning: fds[1])),
            error: ByteStream(Descriptor(owning: fds[2])))
    }

    func agentEnded(_ status: TerminationStatus) {
        run = nil
        editor = nil
        notify(.exit(status))
        close()
    }

    private func refuse(_ message: String, status: Int32) {
        notify(.refused(message: message, status: status))
        close()
    }

    /// Sends a notice. A notice is far smaller than an empty socket's buffer, so a short write means that the shim has
    /// gone.
    private func notify(_ notice: ShimNotice) {
        (notice.json() + [0x0a]).withUnsafeBytes { _ = stream.write($0) }
    }

    /// Called when the bridge stops. A shim that has not requested its agent yet then connects to the next bridge.
    package func endUnlessRunning() {
        if run == nil, editor == nil { close() }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        watch?.cancel()
        watch = nil
        for fd in descriptors { Glibc.close(fd) }
        descriptors = []
        stream.finishWriting()
        let run = self.run
        self.run = nil
        run?.editorGone()
        editor?.close()
        editor = nil
        host.shimClosed(self)
    }
}
