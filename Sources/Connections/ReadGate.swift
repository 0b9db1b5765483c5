import EventLoop

/// Decides which events a connection's socket is watched for. It is watched for reading unless reading is paused or too
/// much waits to be sent, and for writing while the socket is full.
@LoopActor package final class ReadGate {
    private var watch: Watch?
    private var writer: ConnectionWriter?
    private var isPaused = false
    private var hasRoom: @LoopActor () -> Void = {}
    private var onChange: @LoopActor () -> Void = {}

    package init() {}

    /// - Parameters:
    ///   - onChange: called when the socket is full or accepts bytes again, and when too much waits to be sent or no longer does.
    ///   - hasRoom: called when requests can be answered again, or when the socket accepts bytes again.
    package func begin(
        _ watch: Watch, writer: ConnectionWriter, onChange: @escaping @LoopActor () -> Void = {},
        hasRoom: @escaping @LoopActor () -> Void
    ) {
        self.watch = watch
        self.writer = writer
        self.onChange = onChange
        self.hasRoom = hasRoom
        update()
    }

    package func end() {
        watch?.cancel()
        watch = nil
        writer = nil
    }

    package func pauseReading() {
        isPaused = true
        update()
    }

    package func resumeReading() {
        isPaused = false
        update()
    }

    package func changed() {
        update()
        onChange()
        if writer?.isOverControlLimit == false { hasRoom() }
    }

    private func update() {
        guard let watch, let writer else { return }
        var interest: Readiness = writer.isBlocked ? .writable : []
        if !isPaused, !writer.isOverControlLimit { interest.insert(.readable) }
        watch.wait(for: interest)
    }
}
