import Access
import Connections
import Glibc
import TestSupport
import Testing

@testable import AgentProcess
@testable import Agents
@testable import Clients
@testable import EventLoop
@testable import Posix

/// A stdio shim, and the bridge that it is connected to.
@LoopActor private final class Parts: ShimHost {
    let table: ClientTableParts
    /// The kept agents that the shim's editor can take over.
    var offer = EditorChoice.Offer()
    private(set) var editorCount = 0
    private(set) var isClosed = false
    private(set) lazy var shim = ShimConnection(
        stream: ByteStream(Descriptor(owning: near)), descriptors: [], permit: permit, host: self)
    private let permit = ConnectionCount(limit: 1, perAddress: 1).readmit()
    private let near: Int32
    private let far: Descriptor
    private var closing: CheckedContinuation<Void, Never>?

    init(_ limits: Limits = Limits()) throws {
        table = try ClientTableParts(limits)
        let (near, far) = try Sockets.pair()
        self.near = near
        self.far = Descriptor(owning: far)
        shim.start(remainder: [])
    }

    // MARK: The host

    var services: ClientServices { table.services }
    let user: UInt32 = 1
    func offer(for request: LaunchRequest) -> EditorChoice.Offer { offer }
    func messageTransport() -> MessageTransport { table.table.messageTransport() }

    func addEditor(_ transport: MessageTransport, _ request: LaunchRequest) -> ClientConnection {
        editorCount += 1
        return table.table.addEditor(transport, request)
    }

    func shimClosed(_ shim: ShimConnection) {
        isClosed = true
        closing?.resume()
        closing = nil
    }

    /// Returns after the bridge has closed the connection.
    func waitForClose() async {
        if !isClosed { await withCheckedContinuation { closing = $0 } }
    }

    // MARK: The shim's program

    /// Sends a line with descriptors, which are then closed here.
    func send(_ line: [UInt8], _ descriptors: [Int32] = []) throws {
        try DescriptorPassing.send(line + [0x0a], with: descriptors, on: far.raw)
        for fd in descriptors { close(fd) }
        table.loop.report(.readable, of: near)
    }

    /// Sends a launch request with three streams. Returns the editor's ends of the streams.
    func launch(_ command: SystemString...) throws -> [Int32] {
        let request = LaunchRequest(
            agent: nil, command: command, directory: "/", environment: ["PATH=/usr/bin:/bin"], fileModeMask: 0o22,
            openFilesLimit: 1024)
        let pairs = [try Sockets.pair(), try Sockets.pair(), try Sockets.pair()]
        try send(request.json(), pairs.map(\.near))
        return pairs.map(\.far)
    }

    func disconnect() {
        shutdown(far.raw, Int32(SHUT_RDWR))
        table.loop.report(.readable, of: near)
    }

    /// The notices that have arrived.
    func notices() -> [ShimNotice] {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(far.raw, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return bytes.prefix(max(0, count)).split(separator: 0x0a).compactMap { ShimNotice(json: Array($0)) }
    }

    var refusedStatus: Int32? {
        guard case .refused(_, let status)? = notices().last else { return nil }
        return status
    }
}

@Suite(.serialized) struct ShimConnectionTests {
    init() { LoopThread.start }

    @Test @LoopActor func aMalformedLaunchRequestIsRefused() throws {
        let parts = try Parts()
        try parts.send(Array("{}".utf8))
        #expect(parts.refusedStatus == 126)
        #expect(parts.isClosed)
    }

    @Test @LoopActor func aLaunchRequestOverTheLimitIsRefused() throws {
        var limits = Limits()
        limits.launchBytes = 64
        let parts = try Parts(limits)
        try parts.send([UInt8](repeating: 0x20, count: 100))
        #expect(parts.refusedStatus == 126)
        #expect(parts.isClosed)
    }

    @Test @LoopActor func aLaunchRequestWithoutThreeStreamsIsRefused() throws {
        let parts = try Parts()
        let request = LaunchRequest(
            agent: nil, command: ["/bin/cat"], directory: "/", environment: [], fileModeMask: 0o22,
            openFilesLimit: 1024)
        let pair = try Sockets.pair()
        try parts.send(request.json(), [pair.near])
        #expect(parts.refusedStatus == 126)
        #expect(parts.services.agents.runs.isEmpty)
        // A process that another test starts has a copy until its program runs.
        var wait = pollfd(fd: pair.far, events: Int16(POLLIN), revents: 0)
        _ = poll(&wait, 1, 30_000)
        var byte: UInt8 = 0
        #expect(recv(pair.far, &byte, 1, 0) == 0, "the bridge has closed the descriptor that it received")
        close(pair.far)
    }

    @Test @LoopActor func aMissingProgramIsRefusedWithTheStatusOfAShell() throws {
        let parts = try Parts()
        let ends = try parts.launch("/nonexistent/agent")
        #expect(parts.refusedStatus == 127)
        #expect(parts.isClosed)
        for fd in ends { close(fd) }
    }

    @Test @LoopActor func anAgentStartsAndItsExitEndsTheConnection() async throws {
        let parts = try Parts()
        let ends = try parts.launch("/bin/sh", "-c", "read line; exit 3")
        let run = try #require(parts.services.agents.runs.first)
        #expect(parts.notices() == [.started(pid: run.pid)])
        #expect(parts.shim.serves(run) && parts.shim.state?.agent == run.pid)
        _ = Array("go\n".utf8).withUnsafeBytes { Glibc.send(ends[0], $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        await parts.waitForClose()
        #expect(parts.notices() == [.exit(.exited(code: 3))])
        #expect(parts.shim.state == nil)
        for fd in ends { close(fd) }
    }

    @Test @LoopActor func aSignalOfTheShimReachesTheAgent() async throws {
        let parts = try Parts()
        let ends = try parts.launch("/bin/cat")
        #expect(parts.notices().count == 1)
        try parts.send(ShimSignal(signal: SIGTERM).json())
        await parts.waitForClose()
        #expect(parts.notices() == [.exit(.signaled(signal: SIGTERM))])
        for fd in ends { close(fd) }
    }

    @Test @LoopActor func aShimThatDisconnectsLeavesItsAgent() async throws {
        let parts = try Parts()
        let ends = try parts.launch("/bin/cat")
        let run = try #require(parts.services.agents.runs.first)
        parts.disconnect()
        #expect(parts.isClosed)
        #expect(!parts.shim.serves(run))
        run.giveUp()
        for fd in ends { close(fd) }
    }

    @Test @LoopActor func anEditorThatCanTakeAnAgentOverBecomesAClient() throws {
        let parts = try Parts()
        parts.offer = EditorChoice.Offer(version: 1, sessions: ["s"])
        let ends = try parts.launch("/bin/cat")
        #expect(parts.notices() == [.started(pid: getpid())])
        #expect(parts.editorCount == 1)
        #expect(parts.services.agents.runs.isEmpty)
        #expect(!parts.shim.hasUnsettledEditor && parts.shim.state?.editor != nil)
        parts.disconnect()
        for fd in ends { close(fd) }
    }

    @Test @LoopActor func onlyAShimWithoutAnAgentIsClosedWhenTheBridgeStops() throws {
        let (waiting, serving) = (try Parts(), try Parts())
        serving.offer = EditorChoice.Offer(version: 1, sessions: ["s"])
        let ends = try serving.launch("/bin/cat")
        waiting.shim.endUnlessRunning()
        serving.shim.endUnlessRunning()
        #expect(waiting.isClosed)
        #expect(!serving.isClosed)
        serving.disconnect()
        for fd in ends { close(fd) }
    }
}
