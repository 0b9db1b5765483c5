import Posix
import SessionRecords
import Synchronization
import TestSupport
import Testing

@testable import SessionLog

@Suite struct WakeTests {
    private final class Waker: Sendable {
        let count = Mutex(0)
        let semaphore = Semaphore()

        func wake() {
            count.withLock { $0 += 1 }
            semaphore.post()
        }
    }

    @Test func manyRepliesCauseOneWakeUntilTheyAreRead() throws {
        let folder = TemporaryFolder()
        let waker = Waker()
        let log = try SessionLog(path: folder.log, durability: .normal, wake: { waker.wake() })
        for ticket in 1...50 { log.submit(ReadRequest(ticket: UInt64(ticket), .sessions(liveOnly: false, limit: 1))) }
        log.close()
        waker.semaphore.wait()
        #expect(waker.count.withLock { $0 } == 1)
        #expect(log.takeReplies().map(\.ticket) == Array(1...50))
        #expect(log.takeReplies().isEmpty)

        log.submit(ReadRequest(ticket: 51, .sessions(liveOnly: false, limit: 1)))
        #expect(waker.count.withLock { $0 } == 2)
    }
}
