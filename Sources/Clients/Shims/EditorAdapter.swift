import AgentProcess
import Agents
import Connections
import EventLoop
import JSONRPC
import Pipes
import Posix
import WebSocket

/// An editor that can take over a kept agent. The agent has already talked to another client, so the editor's streams
/// cannot be joined directly to it.
///
/// The editor's first lines show whether it wants the kept agent (``UndecidedEditor``). If it does not, this type returns
/// the editor's streams, which are then joined to an agent of the editor's own. If it does, the editor is served in the
/// same way as any other client of `/acp`. This type converts the editor's lines to messages and messages to lines.
/// Local and remote clients therefore take over an agent in the same way.
@LoopActor final class EditorAdapter {
    /// The bridge's side of the connection.
    let transport: MessageTransport
    private(set) var input: PipeReader?
    private(set) var output: PipeWriter?
    /// The agent's standard error, as the editor would see it without the bridge.
    private(set) var error: PipeWriter?
    private(set) var lines: LineSplitter
    /// Non-nil until the editor has chosen an agent.
    private(set) var undecided: UndecidedEditor?
    /// The status to report to the editor. By default the agent continues to run; the bridge can close the connection
    /// with another status.
    private var status = TerminationStatus.exited(code: 0)
    /// Returns whether the bridge still has an answer for the editor, or updates of a turn. Set once, before `start`.
    var awaitsAnswer: @LoopActor () -> Bool = { false }
    private let ended: @LoopActor (TerminationStatus) -> Void
    /// Runs after the editor has closed its input, until it has left.
    private var leaveTimer: Timer?
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

    /// Lets the editor choose between the kept agents and an agent of its own. Call before `start`.
    ///
    /// - Parameters:
    ///   - offer: returns the kept agents that the editor can take over now.
    ///   - startAgent: called if the editor wants an agent of its own, with the editor's streams, the lines that the
    ///     bridge has answered and the bytes after them.
    func chooses(
        _ state: UndecidedEditor.State = UndecidedEditor.State(),
        from offer: @escaping @LoopActor () -> EditorChoice.Offer,
        startAgent: @escaping @LoopActor (ReleasedStreams, _ answered: [UInt8], _ unanswered: [UInt8]) -> Void
    ) {
        undecided = UndecidedEditor(state, offer: offer) { [weak self] line in
            self?.transport.append(line)
            self?.announce()
        } decided: { [weak self] outcome in
            self?.decided(outcome, startAgent)
        }
    }

    /// - Parameter streams: the output can have data that the editor has not read yet. It is sent first.
    func start(_ streams: ReleasedStreams) throws(SystemError) {
        input = PipeReader(streams.input) { [weak self] in
            self?.editorWrote($0)
        } ended: { [weak self] in
            self?.inputEnded()
        }
        output = PipeWriter(streams.output) { [weak self] in self?.outputReported($0) }
        error = PipeWriter(streams.error) { [weak self] _ in self?.finishIfDone() }
        try input?.start()
        try output?.start()
        try error?.start()
        // The input was closed before a hand-over. The agent is not resumed yet.
        if streams.input == nil { checkLater() }
    }

    /// True if no message is in transit between the editor and the bridge.
    var isQuiet: Bool { transport.isQuiet && undecided?.awaitsAnswer != true }

    /// Called when the stdio shim has disconnected.
    func close() {
        undecided = nil
        leave()
        error?.drop()
        output?.drop()
    }

    /// Ends the editor's part of the conversation because of a signal. The shim ends with this status.
    func end(_ status: TerminationStatus) {
        self.status = status
        undecided = nil
        leave()
    }

    /// Writes the agent's standard error. While the editor does not read it, further bytes are dropped: the bridge keeps
    /// at most one chunk.
    func writeError(_ chunk: UnsafeRawBufferPointer) {
        if let error, error.isEmpty { error.write(chunk) }
    }

    // MARK: From the editor

    private func editorWrote(_ chunk: UnsafeRawBufferPointer) {
        if let undecided {
            undecided.wrote(chunk)
            input?.hold(.sinkIsFull, self.undecided?.awaitsAnswer == true)
        } else {
            passOn(chunk)
        }
    }

    private func answered() {
        undecided?.wasAnswered()
        if undecided?.awaitsAnswer == false { input?.hold(.sinkIsFull, false) }
    }

    private func passOn(_ chunk: UnsafeRawBufferPointer) {
        lines.split(chunk) { line in
            guard case .line(let line) = line, !line.isEmpty else { return }
            transport.append(line.withUnsafeBufferPointer { Array($0) })
        }
        announce()
    }

    private func announce() {
        transport.announce()
        input?.hold(.sinkIsFull, !transport.hasHandledAll)
    }

    private func inputEnded() {
        if let undecided { undecided.endedInput() } else { leaveWhenAnswered() }
    }

    /// The time between two checks whether an editor without input has all its answers, if it gets no message meanwhile: the
    /// turn of another client can end without one. Each check reads a few numbers.
    private static let checkInterval = Duration.seconds(1)

    /// Call when the editor has closed its input. It can still read, so it leaves after the answers to its requests. Each
    /// message can be the last one, and each write can be that of its end.
    private func leaveWhenAnswered() {
        guard !hasLeft, undecided == nil else { return }
        if transport.isQuiet, !awaitsAnswer() { leave() } else { checkLater() }
    }

    private func checkLater() {
        leaveTimer?.cancel()
        leaveTimer = LoopServices.main.timers.schedule(after: Self.checkInterval) { [weak self] in
            self?.leaveWhenAnswered()
        }
    }

    /// Checks in the loop's next turn, if the editor has closed its input. The transport cannot be used before.
    private func checkSoon() {
        guard leaveTimer != nil else { return }
        LoopServices.main.timers.soon { [weak self] in self?.leaveWhenAnswered() }
    }

    private func decided(
        _ outcome: UndecidedEditor.Outcome,
        _ startAgent: @LoopActor (ReleasedStreams, _ answered: [UInt8], _ unanswered: [UInt8]) -> Void
    ) {
        undecided = nil
        switch outcome {
        case .takeOver(let bytes):
            input?.hold(.sinkIsFull, false)
            bytes.withUnsafeBytes { passOn($0) }
            if input?.state == nil { leaveWhenAnswered() }
        case .end: leave()
        case .startAgent(let answered, let unanswered):
            let streams = ReleasedStreams(
                input: input?.release(), output: output?.release(), error: error?.release())
            (input, output, error) = (nil, nil, nil)
            (hasLeft, hasEnded) = (true, true)
            transport.endInput()
            startAgent(streams, answered, unanswered)
        }
    }

    /// Called when the editor writes no more and has its answers. The bridge treats this as the end of the client.
    private func leave() {
        guard !hasLeft else { return }
        hasLeft = true
        leaveTimer?.cancel()
        input?.close()
        transport.endInput()
        transport.receiverHasRoom()
        closeStreams()
    }

    /// Closes the streams after the data that the editor has not read yet.
    private func closeStreams() {
        error?.closeWhenEmpty()
        output?.closeWhenEmpty()
    }

    private func outputReported(_ event: PipeWriter.Event) {
        switch event {
        case .hasRoom:
            transport.receiverHasRoom()
            checkSoon()
        case .failed:
            undecided = nil
            leave()
            finishIfDone()
        case .closed: finishIfDone()
        }
    }

    private func finishIfDone() {
        guard !hasEnded, hasLeft, output?.isOpen != true, error?.isOpen != true else { return }
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
        checkSoon()
        guard undecided != nil else { return }
        // The transport cannot be used during this call.
        LoopServices.main.timers.soon { [weak self] in self?.answered() }
    }

    func receiveClose(_ code: CloseCode?, _ reason: [UInt8]) {
        status = TerminationStatus(closeReason: reason) ?? status
    }

    func messagesWereHandled() {
        if undecided?.awaitsAnswer != true { input?.hold(.sinkIsFull, false) }
    }

    func connectionEnded() {
        guard !hasEnded else { return }
        hasLeft = true
        undecided = nil
        input?.close()
        closeStreams()
    }
}
