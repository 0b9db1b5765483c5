import Glibc
import Synchronization
import Testing

/// Runs each test of a suite on a dedicated thread that can block. These tests wait for processes, and Swift's own
/// small pool would let only as many tests wait at once as there are cores.
struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
    fileprivate let threads: TestThreads

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await withTaskExecutorPreference(threads) { try await function() }
    }
}

extension Trait where Self == BlockingTrait {
    /// Marks a suite of tests that block.
    static var blocking: Self { BlockingTrait(threads: .shared) }

    /// Marks a suite of tests that block and suspend. A test needs a thread again after each suspension, so these tests do
    /// not share threads with tests that keep theirs to the end.
    static var blockingAndSuspending: Self { BlockingTrait(threads: .ofSuspendingTests) }
}

/// A fixed number of threads. It is also the number of blocking tests that run at once.
final class TestThreads: TaskExecutor {
    static let shared = TestThreads(count: 8)
    static let ofSuspendingTests = TestThreads(count: 4)

    private let jobs = Mutex<[UnownedJob]>([])
    private let available = Semaphore()

    private init(count: Int) {
        for _ in 0..<count {
            let pool = Unmanaged.passRetained(self).toOpaque()
            var thread = pthread_t()
            pthread_create(
                &thread, nil,
                { argument in
                    if let argument { Unmanaged<TestThreads>.fromOpaque(argument).takeRetainedValue().work() }
                    return nil
                }, pool)
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        available.signal()
    }

    private func work() {
        while true {
            available.wait()
            let job = jobs.withLock { $0.removeFirst() }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// A sem_t, which must not move.
private final class Semaphore: @unchecked Sendable {
    // Sharing is safe, because sem_post(3) and sem_wait(3) allow it and the pointer never changes.
    private let raw = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(raw, 0, 0) }

    func signal() { sem_post(raw) }

    func wait() { while sem_wait(raw) != 0 {} }
}
