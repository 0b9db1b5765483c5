import EventLoop
import JSONRPC

/// Writes one party's bytes to a pipe unchanged and, between its lines, lines of other parties.
@LoopActor package final class InterleavingWriter {
    package let pipeWriter: PipeWriter
    /// Receives a copy of all bytes. They are valid only during the call.
    package var observer: (@LoopActor (UnsafeRawBufferPointer) -> Void)?
    private var filter: LineFilter
    /// Lines that wait for the end of a partly written line. The callers limit their bytes.
    private var waiting: [[UInt8]] = []
    private var waitingBytes = 0

    /// The state for the hand-over to another program.
    package struct State: Codable {
        package var pipeWriter: PipeWriter.State?
        var filter: LineFilter
        var waiting: [[UInt8]]

        /// The names in a hand-over's JSON. They stay the names of the first format.
        private enum CodingKeys: String, CodingKey {
            case pipeWriter = "outlet", filter, waiting
        }

        package init(pipeWriter: PipeWriter.State?, filter: LineFilter, waiting: [[UInt8]] = []) {
            self.pipeWriter = pipeWriter
            self.filter = filter
            self.waiting = waiting
        }
    }

    package var state: State { State(pipeWriter: pipeWriter.state, filter: filter, waiting: waiting) }

    package init(_ state: State, loop: LoopServices, report: @escaping @LoopActor (PipeWriter.Event) -> Void) {
        pipeWriter = PipeWriter(state.pipeWriter, loop: loop, report: report)
        filter = state.filter
        waiting = state.waiting
        waitingBytes = waiting.reduce(0) { $0 + $1.count }
    }

    /// The bytes that wait for the reader, or for the end of a partly written line.
    package var keptBytes: Int { pipeWriter.keptBytes + waitingBytes }

    package func pass(_ chunk: UnsafeRawBufferPointer) { pass(chunk) { filter.pass($0) { write($0) } } }

    package func pass(_ chunk: UnsafeRawBufferPointer, judging verdict: (Span<UInt8>) -> LineVerdict) {
        pass(chunk) { filter.pass($0, judging: verdict) { write($0) } }
    }

    private func pass(_ chunk: UnsafeRawBufferPointer, through forward: (UnsafeRawBufferPointer) -> Void) {
        forward(waiting.isEmpty ? chunk : afterPartialLine(chunk))
        if !filter.isMidLine { runWaiting() }
    }

    /// Forwards the held bytes, because lines are not checked from now on.
    package func release() { filter.release { write($0) } }

    /// The party has gone in the middle of a line and will not finish it. A line feed ends the line.
    package func endPartialLine() {
        release()
        if filter.isMidLine { [0x0a].withUnsafeBytes { pass($0) } }
    }

    /// Writes a line of another party: now, or after the partly written line.
    package func writeLine(_ line: [UInt8]) {
        guard !filter.isMidLine else {
            waiting.append(line)
            waitingBytes += line.count
            return
        }
        var line = line
        line.append(0x0a)
        line.withUnsafeBytes { write($0) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) {
        observer?(bytes)
        pipeWriter.write(bytes)
    }

    /// Writes the end of the partly written line, if the chunk has it, and the lines that wait for it. In a flood, no chunk may
    /// end with a line.
    ///
    /// - Returns: The rest of the chunk.
    private func afterPartialLine(_ chunk: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard let end = LineFilter.lineEnd(in: chunk, from: 0) else { return chunk }
        filter.pass(UnsafeRawBufferPointer(rebasing: chunk[..<end])) { write($0) }
        runWaiting()
        return UnsafeRawBufferPointer(rebasing: chunk[end...])
    }

    private func runWaiting() {
        guard !waiting.isEmpty else { return }
        let lines = waiting
        (waiting, waitingBytes) = ([], 0)
        for line in lines { writeLine(line) }
    }
}
