import Access
import AgentProcess
import Agents
import EventLoop
import Glibc
import JSONRPC
import Posix

/// The daemon's end of the connection to a stdio shim. It receives the shim's launch request and the editor's streams,
/// forwards signals to the agent, and reports to the shim how the agent ended. If the shim disconnects, the editor has
/// gone.
@LoopActor package final class FrontLink: PollHandler {
    private let stream: ByteStream
    private let clients: ClientTable
    private let permit: ConnectionPermit
    private var lines: LineSplitter
    private var descriptors: [Int32]
    private var watch: Watch?
    private var run: AgentRun?
    /// Non-nil if the editor can take over a running agent.
    private var guest: FrontGuest?
    /// The launch request, if the editor is served as a client of `/acp`. `connection` is then the bridge's end.
    private var request: LaunchRequest?
    private weak var connection: TinyvexConnection?
    private var hasLaunched = false
    private var isClosed = false

    /// - Parameter descriptors: the descriptors received so far. More can come with the launch request.
    init(
        stream: consuming ByteStream, descriptors: [Int32], permit: ConnectionPermit, clients: ClientTable
    ) {
        self.permit = permit
        self.stream = stream
        self.descriptors = descriptors
        self.clients = clients
        lines = LineSplitter(limitBytes: clients.limits.launchBytes)
    }

    /// Restores a shim connection. The previous program started its agent.
    init(_ state: State, clients: ClientTable) {
        permit = clients.connectionCount.readmit()
        stream = ByteStream(Descriptor(owning: state.fd))
        lines = state.lines
        descriptors = []
        hasLaunched = true
        self.clients = clients
        if let agent = state.agent, let run = clients.agents.run(pid: agent) { adopt(run) }
    }

    /// Restores a shim that was served as a client of `/acp`.
    func goOn(_ state: FrontGuest.State) throws(SystemError) {
        guard let request = LaunchRequest(json: state.request) else { return close() }
        let guest = FrontGuest(state, lineLimitBytes: clients.limits.lineBytes) { [weak self] in
            self?.agentEnded($0)
        }
        self.guest = guest
        self.request = request
        let pair = try Sockets.pair()
        let connection = clients.addGuestFront(ByteStream(Descriptor(owning: pair.far)), request, permit: permit)
        self.connection = connection
        connection.goOn(state.link)
        try guest.start(state.input, state.output, ByteStream(Descriptor(owning: pair.near)))
    }

    func serves(_ run: AgentRun) -> Bool { self.run === run }

    /// The hand-over state for the next program.
    package struct State: Codable {
        var fd: Int32
        var lines: LineSplitter
        /// The process id of the agent.
        var agent: Int32?
        var guest: FrontGuest.State?
    }

    /// Nil if the shim has no agent yet, or if its agent has ended.
    package var state: State? {
        if let run { return State(fd: stream.fd, lines: lines, agent: run.pid) }
        return guestState.map { State(fd: stream.fd, lines: lines, guest: $0) }
    }

    /// Nil while data is in transit between the editor and the bridge.
    private var guestState: FrontGuest.State? {
        guard let guest, let request, guest.isQuiet, let link = connection?.guestState else { return nil }
        return FrontGuest.State(
            input: guest.input?.state, output: guest.output?.state, lines: guest.lines, request: request.json(),
            link: link)
    }

    /// True if the editor has taken over an agent and cannot be handed over yet.
    package var isUnsettledGuest: Bool { guest != nil && guestState == nil }

    package func holdStill(_ isHeld: Bool) { guest?.input?.hold(.isHandedOver, isHeld) }

    /// - Parameter remainder: bytes that the shim sent directly after the handshake.
    func start(remainder: [UInt8]) {
        guard let watch = try? EventLoop.main.watch(stream.fd, .readable, self) else { return close() }
        self.watch = watch
        remainder.withUnsafeBytes { received($0) }
    }

    package func pollReady(_ watch: Watch, _ readiness: Readiness) {
        let chunk = EventLoop.main.readChunk
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
            if let signal = FrontSignal(json: line) { run?.signal(signal.signal) }
        } else if let request = LaunchRequest(json: line) {
            hasLaunched = true
            launch(request)
        } else {
            refuse("the launch request is malformed", status: 126)
        }
    }

    private func launch(_ request: LaunchRequest) {
        guard let streams = takeStreams() else {
            return refuse("a front must pass three pipes or sockets", status: 126)
        }
        if clients.hasKeptRun(like: request) { return becomeGuest(request, streams) }
        do throws(SpawnError) {
            let run = try clients.agents.launch(request) { [weak self] in self?.agentEnded($0) }
            adopt(run)
            clients.audit.record(
                .agentStarted(agent: run.name, pid: run.pid), by: .localUser(clients.user))
            tell(.started(pid: run.pid))
            do throws(SystemError) {
                try run.start(streams)
            } catch {
                run.giveUp()
                refuse("the editor's streams cannot be used: \(error)", status: 126)
            }
        } catch {
            refuse(error.description, status: error.exitStatus)
        }
    }

    private func adopt(_ run: AgentRun) {
        self.run = run
        run.released = { [weak self] in self?.agentEnded(.exited(code: 0)) }
    }

    /// Serves the editor as a client of `/acp`, because an agent of this kind runs without an editor. The editor's
    /// first requests show whether it wants that agent.
    private func becomeGuest(_ request: LaunchRequest, _ streams: consuming EditorStreams) {
        let guest = FrontGuest(lineLimitBytes: clients.limits.lineBytes) { [weak self] in
            self?.agentEnded($0)
        }
        self.guest = guest
        do throws(SystemError) {
            let pair = try Sockets.pair()
            let far = Descriptor(owning: pair.far)
            try guest.start(streams, ByteStream(Descriptor(owning: pair.near)))
            self.request = request
            connection = clients.addGuestFront(ByteStream(far), request, permit: permit)
            tell(.started(pid: getpid()))
        } catch {
            refuse("the editor's streams cannot be used: \(error)", status: 126)
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
        guest = nil
        tell(.exit(status))
        close()
    }

    private func refuse(_ message: String, status: Int32) {
        tell(.refused(message: message, status: status))
        close()
    }

    /// Sends a notice. A notice is far smaller than an empty socket's buffer, so a short write means that the shim has
    /// gone.
    private func tell(_ notice: FrontNotice) {
        (notice.json() + [0x0a]).withUnsafeBytes { _ = stream.write($0) }
    }

    /// Called when the bridge stops. A shim that has not requested its agent yet then connects to the next bridge.
    package func endUnlessRunning() {
        if run == nil, guest == nil { close() }
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
        guest?.close()
        guest = nil
        clients.frontClosed(self)
    }
}
