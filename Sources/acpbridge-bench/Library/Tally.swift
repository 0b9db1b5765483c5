import Glibc
import Synchronization

/// What has come, counted by many tasks and waited for by the thread that began them.
final class Tally: Sendable {
    struct Counts {
        var opened = 0
        var updates = 0
        fileprivate var latencies = Latencies()
        fileprivate var failure: String?
    }

    private let counts = Mutex(Counts())

    func opened() { counts.withLock { $0.opened += 1 } }

    func add(_ latency: Int64?) {
        counts.withLock { counts in
            counts.updates += 1
            if let latency { counts.latencies.add(latency) }
        }
    }

    func fail(_ failure: String) { counts.withLock { $0.failure = $0.failure ?? failure } }

    var latencies: Latencies { counts.withLock { $0.latencies } }

    /// Blocks its thread, which is none of those that the tasks run on.
    func wait(until condition: (Counts) -> Bool) throws {
        while true {
            let (isSo, failure) = counts.withLock { (condition($0), $0.failure) }
            if let failure { throw BenchFailure(failure) }
            if isSo { return }
            usleep(200)
        }
    }
}
