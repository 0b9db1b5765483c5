import EventLoop

/// Decides which events a connection's socket is watched for. It is watched for reading unless reading is paused or too
/// much waits to be sent, and for writing while the socket is full.
@LoopActor package final class Interest {
    private var watch: Watch?
    private var outbox: Outbox?
    private var isPaused = false

    package init() {}
    private var hasRoom: @LoopActor () -> Void = {}

    /// - Parameter hasRoom: called when requests can be answered again, or when the socket accepts bytes again.
    package func begin(_ watch: Watch, outbox: Outbox, hasRoom: @escaping @LoopActor () -> Void) {
        self.watch = watch
        self.outbox = outbox
        self.hasRoom = hasRoom
        update()
    }

    package func end() {
        watch?.cancel()
        watch = nil
        outbox = nil
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
        if outbox?.isOverControlLimit == false { hasRoom() }
    }

    private func update() {
        guard let watch, let outbox else { return }
        var interest: Readiness = outbox.isBlocked ? .writable : []
        if !isPaused, !outbox.isOverControlLimit { interest.insert(.readable) }
        watch.wait(for: interest)
    }
}
