import AgentProcess
import Agents
import EventLoop
import Glibc
import JSONRPC
import JSONScan
import Posix
import WebSocket

/// An editor that takes over an agent which has already talked to another client. Its streams therefore cannot be
/// joined directly to the agent.
///
/// The editor is served in the same way as any other client of `/acp`, over a socket pair. This type converts the
/// editor's lines to messages and messages to lines. Local and remote clients therefore take over an agent in the same
/// way.
@LoopActor final class FrontGuest {
    private(set) var input: Inlet?
    private(set) var output: Outlet?
    private var fromBridge: Inlet?
    private var toBridge: Outlet?
    private(set) var lines: LineSplitter
    private var messages: MessageAssembler
    private let lineLimitBytes: Int
    /// The status to report to the editor. By default the agent continues to run; a close frame from the bridge can
    /// report another status.
    private var status = TerminationStatus.exited(code: 0)
    private let ended: @LoopActor (TerminationStatus) -> Void
    private var hasEnded = false

    /// - Parameter ended: called once, after the editor or the agent has gone and the editor has received all its data.
    init(lineLimitBytes: Int, ended: @escaping @LoopActor (TerminationStatus) -> Void) {
        self.lineLimitBytes = lineLimitBytes
        self.ended = ended
        lines = LineSplitter(limitBytes: lineLimitBytes)
        messages = MessageAssembler(role: .client, limits: MessageLimits(messageBytes: lineLimitBytes))
    }

    /// Connects the editor to one end of the socket pair. The bridge holds the other end.
    func start(_ streams: consuming EditorStreams, _ end: consuming ByteStream) throws(SystemError) {
        let (input, output) = streams.release()
        try start(input, Outlet.State(fd: output, backlog: [], isClosing: false), end)
    }

    /// - Parameter output: data that the editor has not read yet. It is sent first.
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

    /// Restores the state that the previous program handed over.
    init(_ state: State, lineLimitBytes: Int, ended: @escaping @LoopActor (TerminationStatus) -> Void) {
        self.lineLimitBytes = lineLimitBytes
        self.ended = ended
        lines = state.lines
        messages = MessageAssembler(role: .client, limits: MessageLimits(messageBytes: lineLimitBytes))
    }

    /// True if no data is in transit between the editor's end and the bridge's end.
    var isQuiet: Bool { toBridge?.isEmpty == true && fromBridge?.waitingBytes == 0 }

    /// Called when the stdio shim has disconnected.
    func close() {
        leave()
        output?.drop()
    }

    // MARK: From the editor

    private func editorWrote(_ chunk: UnsafeRawBufferPointer) {
        var frames: [UInt8] = []
        lines.split(chunk) { line in
            guard case .line(let line) = line, !line.isEmpty else { return }
            // No proxy sits between two ends of one process, so the mask need not be secret.
            Frame.append(.text, line, maskKey: 0, to: &frames)
        }
        guard !frames.isEmpty else { return }
        frames.withUnsafeBytes { toBridge?.write($0) }
        input?.hold(.sinkIsFull, toBridge?.isEmpty == false)
    }

    /// Called when the editor writes no more. The bridge treats this as the end of the client.
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
    /// The reason text of the close frame that reports how an agent ended: `{"exitCode":1}` or `{"signal":9}`.
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
