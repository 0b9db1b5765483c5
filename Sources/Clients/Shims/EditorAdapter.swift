import AgentProcess
import Agents
import Connections
import EventLoop
import JSONRPC
import Posix
import WebSocket

/// An editor that takes over an agent which has already talked to another client. Its streams therefore cannot be
/// joined directly to the agent.
///
/// The editor is served in the same way as any other client of `/acp`. This type converts the editor's lines to
/// messages and messages to lines. Local and remote clients therefore take over an agent in the same way.
@LoopActor final class EditorAdapter {
    /// The bridge's side of the connection.
    let transport: MessageTransport
    private(set) var input: PipeReader?
    private(set) var output: PipeWriter?
    private(set) var lines: LineSplitter
    /// The status to report to the editor. By default the agent continues to run; the bridge can close the connection
    /// with another status.
    private var status = TerminationStatus.exited(code: 0)
    private let ended: @LoopActor (TerminationStatus) -> Void
    private var hasLeft = false
    private var hasEnded = false

    /// - Parameters:
    ///   - lines: the editor's unfinished line, if a previous program has handed it over.
    ///   - ended: called once, after the editor or the agent has gone and the editor has received all its data.
    init(
        _ transport: MessageTransport, lines: LineSplitter, ended: @escaping @LoopActor (TerminationStatus) -> Void
    ) {
        self.transport = transport
        self.lines = lines
        self.ended = ended
        transport.connect(to: self)
    }

    func start(_ streams: consuming EditorStreams) throws(SystemError) {
        let (input, output) = streams.release()
        try start(input, PipeWriter.State(fd: output, backlog: [], isClosing: false))
    }

    /// - Parameter output: data that the editor has not read yet. It is sent first.
    func start(_ input: Int32?, _ output: PipeWriter.State?) throws(SystemError) {
        self.input = PipeReader(input) { [weak self] in
            self?.editorWrote($0)
        } ended: { [weak self] in
            self?.leave()
        }
        self.output = PipeWriter(output) { [weak self] in self?.outputReported($0) }
        try self.input?.start()
        try self.output?.start()
    }

    /// True if no message is in transit between the editor and the bridge.
    var isQuiet: Bool { transport.isQuiet }

    /// Called when the stdio shim has disconnected.
    func close() {
        leave()
        output?.drop()
    }

    // MARK: From the editor

    private func editorWrote(_ chunk: UnsafeRawBufferPointer) {
        lines.split(chunk) { line in
            guard case .line(let line) = line, !line.isEmpty else { return }
            transport.append(line.withUnsafeBufferPointer { Array($0) })
        }
        transport.announce()
        input?.hold(.sinkIsFull, !transport.hasHandledAll)
    }

    /// Called when the editor writes no more. The bridge treats this as the end of the client.
    private func leave() {
        guard !hasLeft else { return }
        hasLeft = true
        input?.close()
        transport.endInput()
        transport.receiverHasRoom()
        output?.closeWhenEmpty()
    }

    private func outputReported(_ event: PipeWriter.Event) {
        switch event {
        case .hasRoom: transport.receiverHasRoom()
        case .failed:
            leave()
            finish()
        case .closed: finish()
        }
    }

    private func finish() {
        guard !hasEnded else { return }
        hasEnded = true
        ended(status)
    }
}

extension EditorAdapter: MessageReceiver {
    /// The editor's pipe must take the previous messages first. After the editor has left, messages are dropped.
    var hasRoom: Bool { hasLeft || output?.isEmpty != false }

    func receive(_ messages: [[UInt8]]) {
        guard !hasLeft else { return }
        var text: [UInt8] = []
        for message in messages {
            text += message
            text.append(0x0a)
        }
        text.withUnsafeBytes { output?.write($0) }
    }

    func receiveClose(_ code: CloseCode?, _ reason: [UInt8]) {
        status = TerminationStatus(closeReason: reason) ?? status
    }

    func messagesWereHandled() { input?.hold(.sinkIsFull, false) }

    func connectionEnded() {
        hasLeft = true
        input?.close()
        output?.closeWhenEmpty()
    }
}
