import BenchMeasuring
import Glibc
import Synchronization

/// Counts received updates. Many tasks count, and the thread that started them waits for the total.
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

    /// Blocks its thread, on which no tasks run.
    func wait(until condition: (Counts) -> Bool) throws {
        while true {
            let (isSo, failure) = counts.withLock { (condition($0), $0.failure) }
            if let failure { throw BenchFailure(failure) }
            if isSo { return }
            usleep(200)
        }
    }
}
