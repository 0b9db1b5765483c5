import Synchronization
import Testing

@testable import SessionLog

@Suite struct WaitingBudgetTests {
    private let start = ContinuousClock.now

    @Test func shortWaitsMayBeAsManyAsMakeATwentieth() {
        var budget = WaitingBudget(now: start)
        var allowed = 0
        for tick in 0..<100_000 where budget.allows(at: start + .microseconds(10) * tick) {
            budget.spend(.microseconds(25))
            allowed += 1
        }
        #expect((1_990...2_050).contains(allowed))
    }

    @Test func afterALongWaitThereIsNoneForTwentyTimesThat() {
        var budget = WaitingBudget(now: start)
        budget.spend(.milliseconds(101))
        let allowed = [1_999, 2_001].map { budget.allows(at: start + .milliseconds($0)) }
        #expect(allowed == [false, true])
    }

    @Test func aQuietTimeSavesUpOneMillisecondAtMost() {
        var budget = WaitingBudget(now: start)
        let before = budget.allows(at: start + .seconds(3_600))
        budget.spend(WaitingBudget.most)
        let after = budget.allows(at: start + .seconds(3_600))
        #expect(before && !after)
    }
}

/// What is stored on the caller's thread is what the writer's would have stored.
@Suite struct DirectWriteTests {
    @Test func aLoneSmallAppendIsAnsweredAtOnce() throws {
        let folder = try TemporaryFolder()
        let client = try LogClient(folder.log)
        let lease = try client.claim()
        var head: Int64 = 0
        var wasAnsweredAtOnce = false
        // While a sync goes on, or the writer's thread has something to do still, it is left to that.
        while !wasAnsweredAtOnce, head < 10_000 {
            head += 1
            let ticket = client.submit(
                .append(sid: lease.sid, epoch: lease.epoch, after: head - 1, items: [.run(["x"])]))
            wasAnsweredAtOnce = client.hasAnswer(to: ticket)
            #expect(client.answer(to: ticket) == .appended(head: head, timelineHead: head))
        }
        #expect(wasAnsweredAtOnce)
        #expect(try client.page(lease.sid).count == Int(head))
    }

    @Test func nothingIsLostOrMovedBetweenThem() throws {
        let folder = try TemporaryFolder()
        let client = try LogClient(folder.log)
        let leases = try ["a", "b"].map { try client.claim($0) }
        for number in 1...500 as ClosedRange<Int64> {
            let items: [LogItem] =
                number % 7 == 0 ? [.entry("prompt"), .run(["\(number)"])] : [.run(["\(number)"])]
            let tickets = leases.map {
                client.submit(.append(sid: $0.sid, epoch: $0.epoch, after: number - 1, items: items))
            }
            for ticket in tickets {
                #expect(client.answer(to: ticket) == .appended(head: number, timelineHead: number + number / 7))
            }
        }
        for lease in leases {
            #expect(try client.page(lease.sid).lines == numbered(1...500).flatMap { Array($0.utf8) + [10] })
        }
    }

    @Test func aWalThatHasGrownLongIsBroughtIntoTheFile() throws {
        let folder = try TemporaryFolder()
        let client = try LogClient(folder.log)
        let lease = try client.claim()
        let line = String(repeating: "x", count: 8_000)
        for number in 1...3_000 as ClosedRange<Int64> { try client.append(lease, after: number - 1, [.run([line])]) }
        // The WAL alone could hold it all.
        #expect(folder.byteCount(of: "log.db") > 12 << 20)
    }
}
