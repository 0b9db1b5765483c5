import EventLoop
import Glibc
import Pipes
import Posix

/// The editor's three standard streams, which we own.
package struct EditorStreams: ~Copyable {
    package var input: ByteStream
    package var output: ByteStream
    package var error: ByteStream

    package init(input: consuming ByteStream, output: consuming ByteStream, error: consuming ByteStream) {
        self.input = input
        self.output = output
        self.error = error
    }

    /// Returns the descriptors, which the caller now owns.
    package consuming func release() -> ReleasedStreams {
        ReleasedStreams(
            input: input.release(), output: PipeWriter.State(fd: output.release(), backlog: [], isClosing: false),
            error: PipeWriter.State(fd: error.release(), backlog: [], isClosing: false))
    }
}

/// The editor's streams after a part of the bridge has used them. Nil means that a stream is closed.
package struct ReleasedStreams: Codable {
    package var input: Int32?
    /// With the bytes that the editor has not read yet.
    package var output: PipeWriter.State?
    package var error: PipeWriter.State?

    package init(input: Int32?, output: PipeWriter.State?, error: PipeWriter.State?) {
        self.input = input
        self.output = output
        self.error = error
    }

    /// Closes the descriptors.
    package func close() {
        for fd in [input, output?.fd, error?.fd] { if let fd { Glibc.close(fd) } }
    }
}

/// The connection between an agent and its editor.
@LoopActor final class EditorLink {
    enum Event {
        /// The editor will not write again, but it can still read.
        case inputEnded
        case outputHasRoom
        case errorHasRoom
        /// The editor does not read its output.
        case outputFailed
        case closed
    }

    let input: PipeReader
    let output: InterleavingWriter
    let error: PipeWriter

    /// The state for the hand-over to another program.
    struct State: Codable {
        var input: Int32?
        var output: InterleavingWriter.State
        var error: PipeWriter.State?
    }

    var state: State { State(input: input.state, output: output.state, error: error.state) }

    init(
        _ state: State, loop: LoopServices, wrote: @escaping @LoopActor (UnsafeRawBufferPointer) -> Void,
        report: @escaping @LoopActor (Event) -> Void
    ) {
        input = PipeReader(state.input, loop: loop, receive: wrote) { report(.inputEnded) }
        output = InterleavingWriter(state.output, loop: loop) { report(Event(output: $0)) }
        error = PipeWriter(state.error, loop: loop) { report(Event(error: $0)) }
    }

    func start() throws(SystemError) {
        try output.pipeWriter.start()
        try error.start()
        try input.start()
    }

    /// True if the editor has taken all output, or never will.
    var isDone: Bool { !output.pipeWriter.isOpen && !error.isOpen }

    var passedBytes: Int { output.pipeWriter.passedBytes + error.passedBytes }

    func close() {
        input.close()
        output.pipeWriter.drop()
        error.drop()
    }
}

extension EditorLink.Event {
    init(output event: PipeWriter.Event) {
        switch event {
        case .hasRoom: self = .outputHasRoom
        case .failed: self = .outputFailed
        case .closed: self = .closed
        }
    }

    init(error event: PipeWriter.Event) {
        switch event {
        case .hasRoom: self = .errorHasRoom
        // An agent continues without a reader for its standard error.
        case .failed, .closed: self = .closed
        }
    }
}
