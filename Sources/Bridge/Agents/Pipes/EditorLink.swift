import EventLoop

/// The editor's three streams, ours to read and write.
struct EditorStreams: ~Copyable {
    var input: ByteStream
    var output: ByteStream
    var error: ByteStream
}

/// The editor's end of an agent.
@LoopActor final class EditorLink {
    enum Event {
        /// It will write no more; it may still read.
        case inputEnded
        case outputHasRoom
        case errorHasRoom
        /// It reads no more.
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

    /// To go on in another program.
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

    /// All that was written to it has been taken, or will never be.
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
        // Without a reader for its complaints an agent goes on.
        case .failed, .closed: self = .closed
        }
    }
}
