import EventLoop
import Pipes
import Posix
import WireLogging

/// The pipes between one agent and its editor. Bytes pass unchanged, except for the lines that the router withholds. A
/// copy of all bytes goes to the sessions. A reader stops while its destination takes nothing more.
@LoopActor final class AgentPipes {
    enum Event {
        /// The agent wrote, and its bytes have been forwarded.
        case agentWrote
        /// The editor wrote, and its bytes have been forwarded.
        case editorWrote
        case editorEndedInput
        /// The editor has taken all output that waited for it.
        case editorTookOutput
        case editorStoppedReading
        /// One of the streams has ended.
        case streamEnded
    }

    /// Set once, before the pipes are started.
    var report: @LoopActor (Event) -> Void = { _ in }
    /// Receives the agent's standard error while no editor is connected. The bytes are valid only during the call. Set once,
    /// before the pipes are started.
    var errorReader: @LoopActor (UnsafeRawBufferPointer) -> Void = { _ in }
    /// The end of the agent's standard error.
    private(set) var errorTail: ErrorTail

    private let wireLog: WireLog?
    private let lineLimitBytes: Int
    private let loop: LoopServices
    /// Nil after ``release()``.
    private var sessions: AgentSessions?
    /// Used for each read. Its functions call nothing that uses it, so two uses cannot overlap.
    @exclusivity(unchecked) private var floodLimit: FloodLimit
    private var output: PipeReader?
    private var error: PipeReader?
    private var input: InterleavingWriter?
    private var editor: EditorLink?

    init(
        sessions: AgentSessions, lineLimitBytes: Int, errorTail: ErrorTail = ErrorTail(),
        wireLog: WireLogRequest? = nil, steadySources: SteadySources, loop: LoopServices
    ) {
        self.sessions = sessions
        floodLimit = FloodLimit(steadySources)
        self.wireLog = wireLog.map { WireLog($0) }
        self.lineLimitBytes = lineLimitBytes
        self.errorTail = errorTail
        self.loop = loop
    }

    // MARK: Starting

    /// Our ends of the agent's pipes, as they are handed over to another program.
    struct State: Codable {
        var input: InterleavingWriter.State
        var output: Int32?
        var error: Int32?
    }

    var isStarted: Bool { input != nil }
    /// Nil before the start, and after ``release()``.
    var state: State? { input.map { State(input: $0.state, output: output?.state, error: error?.state) } }
    var editorState: EditorLink.State? { editor?.state }

    /// Sets the editor's streams that the previous program handed over.
    func attach(_ state: EditorLink.State) {
        editor = EditorLink(state, loop: loop) { [weak self] chunk in
            self?.editorArrived(chunk)
        } report: { [weak self] event in
            self?.editorReported(event)
        }
    }

    /// Sets the editor's streams, which ``startEditor()`` starts.
    func attach(_ streams: ReleasedStreams) {
        let filter = LineFilter(limitBytes: lineLimitBytes)
        attach(
            EditorLink.State(
                input: streams.input,
                output: InterleavingWriter.State(pipeWriter: streams.output, filter: filter),
                error: streams.error))
    }

    /// Starts the pipes of a new agent.
    func start(
        input: consuming ByteStream, output: consuming ByteStream, error: consuming ByteStream
    ) throws(SystemError) {
        let pipeWriter = PipeWriter.State(fd: input.release(), backlog: [], isClosing: false)
        let filter = LineFilter(limitBytes: lineLimitBytes)
        try start(
            State(
                input: InterleavingWriter.State(pipeWriter: pipeWriter, filter: filter),
                output: output.release(), error: error.release()))
    }

    func start(_ state: State) throws(SystemError) {
        let output = PipeReader(state.output, loop: loop) { [weak self] chunk in
            self?.outputArrived(chunk)
        } ended: { [weak self] in
            self?.outputEnded()
        }
        let error = PipeReader(state.error, loop: loop) { [weak self] chunk in
            self?.errorArrived(chunk)
        } ended: { [weak self] in
            self?.errorEnded()
        }
        let input = InterleavingWriter(state.input, loop: loop) { [weak self] event in self?.inputReported(event) }
        if let wireLog { input.observer = { wireLog.record($0, from: .client) } }
        (self.output, self.error, self.input) = (output, error, input)
        try output.start()
        try error.start()
        try input.pipeWriter.start()
    }

    func startEditor() throws(SystemError) { try editor?.start() }

    /// Stops the readers of full destinations. Call after a hand-over, which includes the kept bytes.
    func holdFullReaders() {
        guard let editor else { return }
        editor.input.hold(.sinkIsFull, input?.pipeWriter.isEmpty == false)
        output?.hold(.sinkIsFull, !editor.output.pipeWriter.isEmpty)
        error?.hold(.sinkIsFull, !editor.error.isEmpty)
    }

    /// Pauses or resumes reading from the agent and from the editor.
    func pause(_ isHeld: Bool) {
        for pipeReader in [output, error, editor?.input] { pipeReader?.hold(.isHandedOver, isHeld) }
    }

    // MARK: State

    var hasEditor: Bool { editor != nil }
    /// True if the agent's output has ended and the editor has taken all of it, or never will.
    var areDone: Bool { output?.hasEnded == true && error?.hasEnded == true && editor?.isDone != false }
    /// True if no output waits for the editor.
    var editorHasAll: Bool { editor.map { $0.output.pipeWriter.isEmpty && $0.error.isEmpty } ?? true }
    /// The number of bytes that the editor has taken. Nil without an editor.
    var editorPassedBytes: Int? { editor?.passedBytes }

    // MARK: From the agent

    private func outputArrived(_ chunk: UnsafeRawBufferPointer) {
        // A small chunk's work is estimated, so its start is not needed.
        let start = chunk.count < Self.measuredBytes ? nil : loop.time.now
        passToEditor(chunk)
        wireLog?.record(chunk, from: .agent)
        sessions?.agentWrote(chunk)
        if sessions?.isTooFarBehind == true { output?.hold(.logIsBehind, true) }
        report(.agentWrote)
        limitFlood(chunk.count, since: start)
    }

    private func limitFlood(_ byteCount: Int, since start: Instant?) {
        let end = loop.time.now
        let work = start.map { end - $0 } ?? .nanoseconds(4 * byteCount)
        guard let pause = floodLimit.pause(after: work, at: end) else { return }
        output?.hold(.isFlooding, true)
        loop.timers.schedule(after: pause) { [weak self] in self?.output?.hold(.isFlooding, false) }
    }

    /// 16 KiB. The work on less is estimated with 4 ns for a byte, which is rather much: a measured time includes the loop's
    /// waits for a processor.
    private static let measuredBytes = 16 << 10

    private func passToEditor(_ chunk: UnsafeRawBufferPointer) {
        guard let editor, let sessions else { return }
        if sessions.judgesAgent {
            editor.output.pass(chunk) { sessions.verdict(onAgentLine: $0) }
        } else {
            editor.output.pass(chunk)
        }
        output?.hold(.sinkIsFull, !editor.output.pipeWriter.isEmpty)
    }

    private func errorArrived(_ chunk: UnsafeRawBufferPointer) {
        errorTail.append(chunk)
        wireLog?.record(chunk, from: .stderr)
        guard let editor else { return errorReader(chunk) }
        editor.error.write(chunk)
        error?.hold(.sinkIsFull, !editor.error.isEmpty)
    }

    /// Call after each write of the log.
    func logHasCaughtUp() {
        // Check the hold first, because an agent can have a thousand sessions to ask.
        guard let output, output.isHeld(.logIsBehind), sessions?.hasCaughtUp == true else { return }
        output.hold(.logIsBehind, false)
    }

    private func outputEnded() {
        sessions?.agentFinished()
        editor?.output.release()
        editor?.output.pipeWriter.closeWhenEmpty()
        report(.streamEnded)
    }

    private func errorEnded() {
        editor?.error.closeWhenEmpty()
        report(.streamEnded)
    }

    private func inputReported(_ event: PipeWriter.Event) {
        switch event {
        case .hasRoom: editor?.input.hold(.sinkIsFull, false)
        case .closed: break
        // The editor sees its pipe close, as it would without the bridge. It did not ask for an end.
        case .failed: editor?.input.close()
        }
    }

    // MARK: From the editor

    private func editorArrived(_ chunk: UnsafeRawBufferPointer) {
        guard let input, let sessions else { return }
        if sessions.judgesEditor {
            input.pass(chunk) { sessions.verdict(onEditorLine: $0) }
        } else {
            input.pass(chunk)
        }
        sessions.editorWrote(chunk)
        report(.editorWrote)
        editor?.input.hold(.sinkIsFull, !input.pipeWriter.isEmpty)
    }

    /// Handles the first lines of an editor, which another part of the bridge has read.
    ///
    /// - Parameters:
    ///   - answered: Lines that the bridge has already answered. The agent receives them too; its answers are withheld.
    ///   - unanswered: The bytes after them.
    func editorWrote(answered: [UInt8], unanswered: [UInt8]) {
        sessions?.editorRepeats(answered)
        answered.withUnsafeBytes { input?.pass($0) }
        unanswered.withUnsafeBytes { editorArrived($0) }
        // No event reports an input that had already ended.
        if let editor, editor.input.hasEnded { report(.editorEndedInput) }
    }

    private func editorReported(_ event: EditorLink.Event) {
        switch event {
        case .inputEnded: editorInputEnded()
        case .outputHasRoom:
            output?.hold(.sinkIsFull, false)
            report(.editorTookOutput)
        case .errorHasRoom:
            error?.hold(.sinkIsFull, false)
            report(.editorTookOutput)
        case .outputFailed: report(.editorStoppedReading)
        case .closed: report(.streamEnded)
        }
    }

    private func editorInputEnded() {
        // If we closed the input because the agent does not read, the editor did not ask for an end.
        guard input?.pipeWriter.isOpen == true, editor != nil else { return }
        report(.editorEndedInput)
    }

    // MARK: Lines of other parties

    func writeToAgent(_ line: [UInt8]) { input?.writeLine(line) }

    /// The bytes that wait for the agent to read them.
    var inputBytes: Int { input?.keptBytes ?? 0 }

    func writeToEditor(_ line: [UInt8]) { editor?.output.writeLine(line) }

    // MARK: Closing

    /// Closes the agent's input after the kept bytes.
    func closeInput() {
        // An unfinished line can still be held back.
        input?.release()
        input?.pipeWriter.closeWhenEmpty()
    }

    /// Stops reading from the editor and closes the agent's input after the kept bytes.
    func closeInputs() {
        editor?.input.close()
        closeInput()
    }

    /// Closes the agent's output pipe, because its reader has gone, as the agent would see it without the bridge.
    func closeOutput() {
        output?.close()
        editor?.input.close()
    }

    /// Closes the editor's streams. The agent's output is then read without an editor.
    ///
    /// The agent still gets what the editor has written before, such as a prompt: its end can be noticed first, when the
    /// bridge passes on a line of the agent.
    func detachEditor() {
        guard let editor else { return }
        self.editor = nil
        editor.input.finishWhenEmpty()
        editor.close()
        input?.endPartialLine()
        sessions?.editorGone()
        output?.hold(.sinkIsFull, false)
        error?.hold(.sinkIsFull, false)
    }

    /// Reads only the bytes that the agent left in its pipes, because it has exited.
    func agentExited() {
        input?.pipeWriter.drop()
        editor?.input.close()
        error?.finishWhenEmpty()
        output?.finishWhenEmpty()
    }

    /// Drops all streams, because the agent has left.
    func release() {
        sessions = nil
        wireLog?.end()
        (output, error, input, editor) = (nil, nil, nil, nil)
    }
}
