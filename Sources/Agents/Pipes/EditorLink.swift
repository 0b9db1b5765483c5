import EventLoop
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

    /// Returns the descriptors of input and output, which the caller now owns. The error stream is closed.
    package consuming func release() -> (input: Int32, output: Int32) { (input.release(), output.release()) }
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

    let input: Inlet
    let output: SharedOutlet
    let error: Outlet

    init(
        _ streams: consuming EditorStreams, lineLimitBytes: Int,
        wrote: @escaping @LoopActor (UnsafeRawBufferPointer) -> Void, report: @escaping @LoopActor (Event) -> Void
    ) {
        input = Inlet(streams.input, take: wrote) { report(.inputEnded) }
        let outlet = Outlet(streams.output) { report(Event(output: $0)) }
        output = SharedOutlet(outlet, lineLimitBytes: lineLimitBytes)
        error = Outlet(streams.error) { report(Event(error: $0)) }
    }

    /// The state for the hand-over to another program.
    struct State: Codable {
        var input: Int32?
        var output: SharedOutlet.State
        var error: Outlet.State?
    }

    var state: State { State(input: input.state, output: output.state, error: error.state) }

    init(
        _ state: State, wrote: @escaping @LoopActor (UnsafeRawBufferPointer) -> Void,
        report: @escaping @LoopActor (Event) -> Void
    ) {
        input = Inlet(state.input, take: wrote) { report(.inputEnded) }
        output = SharedOutlet(state.output) { report(Event(output: $0)) }
        error = Outlet(state.error) { report(Event(error: $0)) }
    }

    func start() throws(SystemError) {
        try output.outlet.start()
        try error.start()
        try input.start()
    }

    /// True if the editor has taken all output, or never will.
    var isDone: Bool { !output.outlet.isOpen && !error.isOpen }

    var passedBytes: Int { output.outlet.passedBytes + error.passedBytes }

    func close() {
        input.close()
        output.outlet.drop()
        error.drop()
    }
}

extension EditorLink.Event {
    init(output event: Outlet.Event) {
        switch event {
        case .hasRoom: self = .outputHasRoom
        case .failed: self = .outputFailed
        case .closed: self = .closed
        }
    }

    init(error event: Outlet.Event) {
        switch event {
        case .hasRoom: self = .errorHasRoom
        // An agent continues without a reader for its standard error.
        case .failed, .closed: self = .closed
        }
    }
}
