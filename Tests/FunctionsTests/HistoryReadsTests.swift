import TestSupport
import Testing
import Tinyvex

@testable import EventLoop
@testable import Functions

@Suite struct HistoryReadsTests {
    /// The reads that have begun, and how each is completed.
    @LoopActor private final class Log {
        private(set) var begun: [Int] = []
        private var completions: [@LoopActor () -> Void] = []

        func begin(_ number: Int, _ completed: @escaping @LoopActor () -> Void) {
            begun.append(number)
            completions.append(completed)
        }

        func completeFirst() { completions.removeFirst()() }
    }

    init() { LoopThread.start }

    @Test @LoopActor func aReadWaitsUntilTheTurnAfterAnEarlierAnswer() throws {
        let (loop, log) = (ManualLoop(), Log())
        let reads = HistoryReads(timers: loop.services.timers)
        for number in 1...4 { try reads.add { log.begin(number, $0) } }
        #expect(log.begun == [1, 2])
        log.completeFirst()
        #expect(log.begun == [1, 2], "the answer's connection can end first")
        loop.advance(by: .zero)
        #expect(log.begun == [1, 2, 3])
        log.completeFirst()
        log.completeFirst()
        loop.advance(by: .zero)
        #expect(log.begun == [1, 2, 3, 4])
    }

    @Test @LoopActor func readsOverTheLimitAreRefused() throws {
        let (loop, log) = (ManualLoop(), Log())
        let reads = HistoryReads(timers: loop.services.timers)
        let limit = HistoryReads.runningLimit + HistoryReads.waitingLimit
        for number in 0..<limit { try reads.add { log.begin(number, $0) } }
        let rejection = #expect(throws: Rejection.self) { try reads.add { log.begin(limit, $0) } }
        #expect(rejection?.code == .limitExceeded)
    }
}
