import AgentProcess
import EventLoop
import Glibc
import JSONRPC
import JSONScan
import WebSocket

/// An editor whose streams cannot be joined to an agent, for the agent has spoken with another before: a guest.
///
/// It is served as any client of `/acp` is, over a pair of sockets: its lines become messages here, and messages its
/// lines. So an agent is taken over in one way, from this machine or from another.
@LoopActor final class FrontGuest {
    private(set) var input: Inlet?
    private(set) var output: Outlet?
    private var fromBridge: Inlet?
    private var toBridge: Outlet?
    private(set) var lines: LineSplitter
    private var messages: MessageAssembler
    private let lineLimitBytes: Int
    /// The agent goes on, unless the bridge says otherwise.
    private var status = TerminationStatus.exited(code: 0)
    private let ended: @LoopActor (TerminationStatus) -> Void
    private var hasEnded = false

    /// - Parameter ended: called once, when the editor or the agent has gone and the editor has all that was for it.
    init(lineLimitBytes: Int, ended: @escaping @LoopActor (TerminationStatus) -> Void) {
        self.lineLimitBytes = lineLimitBytes
        self.ended = ended
        lines = LineSplitter(limitBytes: lineLimitBytes)
        messages = MessageAssembler(role: .client, limits: MessageLimits(messageBytes: lineLimitBytes))
    }

    /// Joins the editor to one end of the pair; the other end is the bridge's.
    func start(_ streams: consuming EditorStreams, _ end: consuming ByteStream) throws(SystemError) {
        let input = streams.input.release()
        let output = Outlet.State(fd: streams.output.release(), backlog: [], isClosing: false)
        try start(input, output, end)
    }

    /// - Parameter output: what the editor has not taken yet is sent before all else.
    func start(_ input: Int32?, _ output: Outlet.State?, _ end: consuming ByteStream) throws(SystemError) {
        let duplicate = Descriptor(owning: fcntl(end.fd, F_DUPFD_CLOEXEC, 0))
        self.input = Inlet(input) { [weak self] in
            self?.editorWrote($0)
        } ended: { [weak self] in
            self?.leave()
        }
        self.output = Outlet(output) { [weak self] in self?.outputReported($0) }
        fromBridge = Inlet(ByteStream(duplicate)) { [weak self] in
            self?.bridgeWrote($0)
        } ended: { [weak self] in
            self?.bridgeLeft()
        }
        toBridge = Outlet(end) { [weak self] in self?.bridgeReported($0) }
        try self.input?.start()
        try self.output?.start()
        try fromBridge?.start()
        try toBridge?.start()
        fromBridge?.hold(.sinkIsFull, self.output?.isEmpty == false)
    }

    /// As the program before this one has left it.
    init(_ state: State, lineLimitBytes: Int, ended: @escaping @LoopActor (TerminationStatus) -> Void) {
        self.lineLimitBytes = lineLimitBytes
        self.ended = ended
        lines = state.lines
        messages = MessageAssembler(role: .client, limits: MessageLimits(messageBytes: lineLimitBytes))
    }

    /// Nothing is on its way between the editor's end and the bridge's.
    var isQuiet: Bool { toBridge?.isEmpty == true && fromBridge?.waitingBytes == 0 }

    /// The front has gone.
    func close() {
        leave()
        output?.drop()
    }

    // MARK: From the editor

    private func editorWrote(_ chunk: UnsafeRawBufferPointer) {
        var frames: [UInt8] = []
        lines.split(chunk) { line in
            guard case .line(let line) = line, !line.isEmpty else { return }
            // Between two ends of one process no proxy looks on: the mask need not be a secret.
            Frame.append(.text, line, maskKey: 0, to: &frames)
        }
        guard !frames.isEmpty else { return }
        frames.withUnsafeBytes { toBridge?.write($0) }
        input?.hold(.sinkIsFull, toBridge?.isEmpty == false)
    }

    /// It will write no more: to the bridge that is the end of this client.
    private func leave() {
        input?.close()
        toBridge?.closeWhenEmpty()
        fromBridge?.close()
    }

    private func outputReported(_ event: Outlet.Event) {
        switch event {
        case .hasRoom: fromBridge?.hold(.sinkIsFull, false)
        case .failed:
            leave()
            finish()
        case .closed: finish()
        }
    }

    // MARK: From the bridge

    private func bridgeWrote(_ chunk: UnsafeRawBufferPointer) {
        messages.append(chunk)
        var text: [UInt8] = []
        while let event = try? messages.next() {
            switch event {
            case .text(let message):
                text += message
                text.append(0x0a)
            case .ping(let payload):
                Frame.pong(payload, maskKey: 0).withUnsafeBytes { toBridge?.write($0) }
            case .close(_, let reason): status = TerminationStatus(closeReason: reason) ?? status
            case .binary, .pong: break
            }
        }
        text.withUnsafeBytes { output?.write($0) }
        fromBridge?.hold(.sinkIsFull, output?.isEmpty == false)
    }

    private func bridgeReported(_ event: Outlet.Event) {
        if case .hasRoom = event { input?.hold(.sinkIsFull, false) }
    }

    private func bridgeLeft() {
        input?.close()
        toBridge?.drop()
        output?.closeWhenEmpty()
    }

    private func finish() {
        guard !hasEnded else { return }
        hasEnded = true
        ended(status)
    }
}

extension TerminationStatus {
    /// `{"exitCode":1}` or `{"signal":9}`, as the reason of a close frame says how an agent ended.
    var closeReason: String {
        switch self {
        case .exited(let code): #"{"exitCode":\#(code)}"#
        case .signaled(let signal): #"{"signal":\#(signal)}"#
        }
    }

    init?(closeReason: [UInt8]) {
        guard let value = try? JSONValue(validating: closeReason) else { return nil }
        if let code = value["exitCode"]?.int64Value {
            self = .exited(code: Int32(truncatingIfNeeded: code))
        } else if let signal = value["signal"]?.int64Value {
            self = .signaled(signal: Int32(truncatingIfNeeded: signal))
        } else {
            return nil
        }
    }
}
