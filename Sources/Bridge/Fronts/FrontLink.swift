import AgentProcess
import EventLoop
import Glibc
import JSONRPC

/// The daemon's end of a stdio front: takes its launch request and its editor's streams, passes its signals on, and
/// tells it how the agent ended. When it hangs up, the editor is gone.
@LoopActor final class FrontLink: PollHandler {
    private let stream: ByteStream
    private let bridge: Bridge
    private let permit: ConnectionPermit
    private var lines: LineSplitter
    private var descriptors: [Int32]
    private var watch: Watch?
    private var run: AgentRun?
    /// Where the editor may take over an agent that runs already.
    private var guest: FrontGuest?
    /// What it asked for, and the bridge's end of it, where it is a guest.
    private var request: LaunchRequest?
    private weak var connection: TinyvexConnection?
    private var hasLaunched = false
    private var isClosed = false

    /// - Parameter descriptors: those that have come so far; more may follow with the launch request.
    init(
        stream: consuming ByteStream, descriptors: [Int32], permit: ConnectionPermit, bridge: Bridge
    ) {
        self.permit = permit
        self.stream = stream
        self.descriptors = descriptors
        self.bridge = bridge
        lines = LineSplitter(limitBytes: bridge.configuration.limits.launchBytes)
    }

    /// One whose agent the program before this one has started.
    init(_ state: State, bridge: Bridge) {
        permit = bridge.connectionCount.readmit()
        stream = ByteStream(Descriptor(owning: state.fd))
        lines = state.lines
        descriptors = []
        hasLaunched = true
        self.bridge = bridge
        if let agent = state.agent, let run = bridge.run(pid: agent) { adopt(run) }
    }

    /// Goes on as the guest that it was.
    func goOn(_ state: FrontGuest.State) throws(SystemError) {
        guard let request = LaunchRequest(json: state.request) else { return close() }
        let guest = FrontGuest(state, lineLimitBytes: bridge.configuration.limits.lineBytes) { [weak self] in
            self?.agentEnded($0)
        }
        self.guest = guest
        self.request = request
        let pair = try Sockets.pair()
        let connection = bridge.addGuestFront(ByteStream(Descriptor(owning: pair.far)), request, permit: permit)
        self.connection = connection
        connection.goOn(state.link)
        try guest.start(state.input, state.output, ByteStream(Descriptor(owning: pair.near)))
    }

    func serves(_ run: AgentRun) -> Bool { self.run === run }

    /// To go on in another program.
    struct State: Codable {
        var fd: Int32
        var lines: LineSplitter
        /// The process id of its agent.
        var agent: Int32?
        var guest: FrontGuest.State?
    }

    /// Nil where it has no agent yet, or none any more.
    var state: State? {
        if let run { return State(fd: stream.fd, lines: lines, agent: run.pid) }
        return guestState.map { State(fd: stream.fd, lines: lines, guest: $0) }
    }

    /// Nil while something is on its way between the editor and the bridge.
    private var guestState: FrontGuest.State? {
        guard let guest, let request, guest.isQuiet, let link = connection?.guestState else { return nil }
        return FrontGuest.State(
            input: guest.input?.state, output: guest.output?.state, lines: guest.lines, request: request.json(),
            link: link)
    }

    /// It has taken over an agent, and cannot be handed over yet.
    var isUnsettledGuest: Bool { guest != nil && guestState == nil }

    func holdStill(_ isHeld: Bool) { guest?.input?.hold(.isHandedOver, isHeld) }

    /// - Parameter remainder: what came right behind the handshake.
    func start(remainder: [UInt8]) {
        guard let watch = try? EventLoop.main.watch(stream.fd, .readable, self) else { return close() }
        self.watch = watch
        remainder.withUnsafeBytes { received($0) }
    }

    func pollReady(_ watch: Watch, _ readiness: Readiness) {
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
        if bridge.hasKeptRun(like: request) { return becomeGuest(request, streams) }
        do throws(SpawnError) {
            let run = try bridge.launch(request) { [weak self] in self?.agentEnded($0) }
            adopt(run)
            bridge.audit.record(
                .agentStarted(agent: run.name, pid: run.pid), by: .localUser(bridge.admission.user))
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

    /// An agent of this kind runs without an editor. Whether it is what this one wants is seen from what it says.
    private func becomeGuest(_ request: LaunchRequest, _ streams: consuming EditorStreams) {
        let guest = FrontGuest(lineLimitBytes: bridge.configuration.limits.lineBytes) { [weak self] in
            self?.agentEnded($0)
        }
        self.guest = guest
        do throws(SystemError) {
            let pair = try Sockets.pair()
            let far = Descriptor(owning: pair.far)
            try guest.start(streams, ByteStream(Descriptor(owning: pair.near)))
            self.request = request
            connection = bridge.addGuestFront(ByteStream(far), request, permit: permit)
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

    /// A notice is far smaller than an empty socket's buffer, so it is taken whole or the front is gone.
    private func tell(_ notice: FrontNotice) {
        (notice.json() + [0x0a]).withUnsafeBytes { _ = stream.write($0) }
    }

    /// The bridge stops: a front that has not asked for its agent yet turns to the next bridge.
    func endUnlessRunning() {
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
        bridge.frontClosed(self)
    }
}
