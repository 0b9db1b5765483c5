import EventLoop

/// What a connection's socket is watched for: reading unless it is paused or too much waits to be sent, writing while
/// the socket is full.
@LoopActor final class Interest {
    private var watch: Watch?
    private var outbox: Outbox?
    private var isPaused = false
    private var hasRoom: @LoopActor () -> Void = {}

    /// - Parameter hasRoom: called when requests may be answered again, or the socket takes bytes again.
    func begin(_ watch: Watch, outbox: Outbox, hasRoom: @escaping @LoopActor () -> Void) {
        self.watch = watch
        self.outbox = outbox
        self.hasRoom = hasRoom
        update()
    }

    func end() {
        watch?.cancel()
        watch = nil
        outbox = nil
    }

    func pauseReading() {
        isPaused = true
        update()
    }

    func resumeReading() {
        isPaused = false
        update()
    }

    func changed() {
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
