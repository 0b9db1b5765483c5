import TestSupport
import Testing

@testable import EventLoop
@testable import Posix
@testable import SessionStreams

/// A session that consists only of its tail: one line of `size` bytes per chunk.
@LoopActor private final class Owner {
    private let tail = Tail()
    private var next: Int64 = 1
    private let budget: TailBudget

    init(_ budget: TailBudget) { self.budget = budget }

    var byteCount: Int { tail.byteCount }
    /// The number of the oldest chunk that is held.
    var oldest: Int64? { tail.oldest?.first }

    func add(_ count: Int, size: Int) {
        for _ in 0..<count {
            let lines = [UInt8](repeating: 0x61, count: size) + [0x0a]
            let chunk = (FrameChunk(lines: lines, count: 1, first: next, receiverCount: 1) ?? .none)
            budget.appended(next, to: tail, growth: tail.append(chunk))
            next += 1
        }
    }
}

@Suite(.serialized) struct TailBudgetTests {
    init() { LoopThread.start }

    @Test @LoopActor func noChunkIsDroppedWithinTheLimit() {
        let budget = TailBudget(limitBytes: 10_000)
        let owner = Owner(budget)
        owner.add(9, size: 1_000)
        #expect(owner.oldest == 1)
    }

    @Test @LoopActor func theOldestChunkOfAllOwnersIsDroppedFirst() {
        let budget = TailBudget(limitBytes: 10_000)
        let (quiet, loud) = (Owner(budget), Owner(budget))
        quiet.add(2, size: 1_000)
        loud.add(7, size: 1_000)
        #expect(quiet.oldest == 1)
        loud.add(1, size: 1_000)
        #expect(quiet.oldest == 2)
        #expect(loud.oldest == 1)
        loud.add(4, size: 1_000)
        #expect(quiet.oldest == nil)
        #expect(loud.oldest == 4)
    }

    @Test @LoopActor func allOwnersTogetherStayWithinTheLimit() {
        let budget = TailBudget(limitBytes: 100_000)
        let owners = (0..<10).map { _ in Owner(budget) }
        var random = SeededGenerator(seed: 3)
        for _ in 0..<5_000 {
            owners.randomElement(using: &random)?.add(1, size: Int.random(in: 10...5_000, using: &random))
            #expect(owners.reduce(0) { $0 + $1.byteCount } <= 100_000)
        }
        // The budget is also used: no more chunks are dropped than necessary.
        #expect(owners.reduce(0) { $0 + $1.byteCount } > 90_000)
    }

    /// The first chunk is larger than the limit, so no chunk is left before the others.
    @Test @LoopActor func chunksAfterAnEmptyTailAreDroppedToo() {
        let budget = TailBudget(limitBytes: 10_000)
        let owner = Owner(budget)
        owner.add(1, size: 20_000)
        #expect(owner.oldest == nil)
        owner.add(12, size: 1_000)
        #expect(owner.oldest == 5)
        owner.add(1, size: 20_000)
        owner.add(12, size: 1_000)
        #expect(owner.oldest == 18)
    }

    @Test @LoopActor func aReleasedOwnersBytesAreReturnedToTheBudget() {
        let budget = TailBudget(limitBytes: 10_000)
        var gone: Owner? = Owner(budget)
        gone?.add(9, size: 1_000)
        budget.released(gone?.byteCount ?? 0)
        gone = nil
        let owner = Owner(budget)
        owner.add(9, size: 1_000)
        #expect(owner.oldest == 1)
    }
}
