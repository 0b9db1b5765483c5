import Glibc
import Posix
import Synchronization
import Testing

@Suite struct WorkerThreadTests {
    /// The facts that a thread has found out about itself.
    private final class Facts: Sendable {
        let name = Mutex("")
        let isTerminationBlocked = Mutex(false)
        let isOver = Mutex(false)

        func gather() {
            let text = try? PrivateFile.read("/proc/thread-self/comm", limitBytes: 64, isBelieved: false)
            name.withLock { $0 = String(decoding: text ?? [], as: UTF8.self) }
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            isTerminationBlocked.withLock { $0 = sigismember(&mask, SIGTERM) == 1 }
        }
    }

    @Test func aThreadHasItsNameAndBlocksSignals() throws {
        let facts = Facts()
        try WorkerThread(name: "fifteen letters") { facts.gather() }.join()
        #expect(facts.name.withLock { $0 } == "fifteen letters\n")
        #expect(facts.isTerminationBlocked.withLock { $0 })
    }

    @Test func theSignalMaskOfTheStartingThreadIsRestored() throws {
        var before = sigset_t()
        var after = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &before)
        try WorkerThread(name: "t") {}.join()
        pthread_sigmask(SIG_BLOCK, nil, &after)
        #expect(sigismember(&before, SIGTERM) == sigismember(&after, SIGTERM))
    }

    @Test func joinWaitsUntilTheThreadEnds() throws {
        let facts = Facts()
        try WorkerThread(name: "t") { facts.isOver.withLock { $0 = true } }.join()
        #expect(facts.isOver.withLock { $0 })
    }
}

@Suite struct SemaphoreTests {
    @Test func aSemaphoreCountsPosts() {
        let semaphore = Semaphore()
        var waits = [semaphore.wait(for: .zero)]
        semaphore.post()
        semaphore.post()
        semaphore.wait()
        waits += [semaphore.wait(for: .zero), semaphore.wait(for: .zero)]
        #expect(waits == [false, true, false])
    }
}
