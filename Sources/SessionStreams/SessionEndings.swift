import Connections
import EventLoop

/// Sessions that have ended and are being stored, and the requests that wait for that.
@LoopActor final class SessionEndings {
    /// Sessions that have ended with their agent and must be finished.
    private let work: SlicedWork
    /// Each asks again after one of the sessions is stored.
    private var waits: [@LoopActor () -> Void] = []

    init(_ services: LoopServices) { work = SlicedWork(services) }

    /// Finishes sessions that have ended with their agent, in slices.
    func finish(_ sessions: [Session]) { work.run(sessions) { $0.finishEnding() } }

    func add(_ request: @escaping @LoopActor () -> Void) { waits.append(request) }

    func takeWaits() -> [@LoopActor () -> Void] {
        let taken = waits
        waits = []
        return taken
    }
}
