import Posix

/// Closes while its source must pause (``FloodLimit``).
@LoopActor package final class FloodGate {
    package private(set) var isClosed = false
    private var limit: FloodLimit
    private let services: LoopServices

    package init(_ sources: SteadySources, services: LoopServices) {
        limit = FloodLimit(sources)
        self.services = services
    }

    package var now: Instant { services.time.now }

    /// Counts work on the source's data, and closes the gate if the source must pause.
    ///
    /// - Parameters:
    ///   - start: When the work began. It has ended now.
    ///   - estimate: The work, if it is known better than by the clock.
    ///   - opened: Called when the gate was closed and has opened again.
    package func worked(
        since start: Instant, estimate: Duration? = nil, opened: @escaping @LoopActor () -> Void
    ) {
        let end = now
        guard let pause = limit.pause(after: estimate ?? end - start, at: end) else { return }
        isClosed = true
        services.timers.schedule(after: pause) { [weak self] in
            self?.isClosed = false
            opened()
        }
    }
}
