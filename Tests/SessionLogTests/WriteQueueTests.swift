import SessionRecords
import Testing

@testable import SessionLog

@Suite struct WriteQueueTests {
    private var queue = WriteQueue()

    private func append(_ ticket: UInt64, bytes: Int) -> WriteRequest {
        let lines = [UInt8](repeating: 0x61, count: bytes)
        return WriteRequest(
            ticket: ticket,
            .append(sid: Int64(ticket), epoch: 1, after: 0, items: [.run(lines: lines, count: 1, ts: 0)]))
    }

    private func facts(_ ticket: UInt64) -> WriteRequest {
        WriteRequest(ticket: ticket, .describe(sid: 1, facts: SessionFacts()))
    }

    /// Returns the committed tickets, transaction by transaction.
    private mutating func drain() -> [[UInt64]] {
        var batches: [[UInt64]] = []
        while !queue.isEmpty { batches.append(queue.takeBatch().map(\.ticket)) }
        return batches
    }

    @Test func anEmptyQueueReturnsAnEmptyBatch() {
        var queue = queue
        #expect(queue.isEmpty)
        #expect(queue.takeBatch().isEmpty)
    }

    @Test func smallAppendsShareATransaction() {
        var test = self
        for ticket in 1...5 { test.queue.add(append(UInt64(ticket), bytes: 300)) }
        #expect(test.drain() == [[1, 2, 3, 4, 5]])
    }

    @Test func aSmallAppendOvertakesALargeOne() {
        var test = self
        test.queue.add(append(1, bytes: 400 << 10))
        test.queue.add(append(2, bytes: 300))
        #expect(test.drain() == [[2], [1]])
    }

    @Test func largeAppendsAreSplitIntoTransactions() {
        var test = self
        for ticket in 1...3 { test.queue.add(append(UInt64(ticket), bytes: 60 << 10)) }
        #expect(test.drain() == [[1, 2], [3]])
    }

    @Test func anOversizedAppendHasItsOwnTransaction() {
        var test = self
        test.queue.add(facts(1))
        test.queue.add(append(2, bytes: 5 << 20))
        test.queue.add(facts(3))
        #expect(test.drain() == [[1], [2], [3]])
    }

    /// Large appends get a turn however many small requests arrive, and the other way round.
    @Test func smallAndLargeAppendsTakeTurns() {
        var queue = queue
        for ticket in 1...4 { queue.add(append(UInt64(ticket), bytes: 400 << 10)) }
        var batches: [[UInt64]] = []
        for ticket in 11...14 {
            queue.add(append(UInt64(ticket), bytes: 300))
            batches.append(queue.takeBatch().map(\.ticket))
        }
        #expect(batches == [[11], [1], [12, 13], [2]])
    }

    @Test func otherRequestsKeepTheirOrder() {
        var test = self
        test.queue.add(facts(1))
        test.queue.add(append(2, bytes: 100 << 10))
        test.queue.add(facts(3))
        #expect(test.drain() == [[1, 2, 3]])
    }
}
