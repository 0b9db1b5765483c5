import TestSupport
import Testing

@testable import EventLoop
@testable import Posix

/// Lets an item's handler add to the work that it belongs to.
@LoopActor private final class Reference {
    weak var work: SlicedWork<Int>?
}

@Suite(.serialized) struct SlicedWorkTests {
    init() { LoopThread.start }

    /// The numbers that were handled in each turn of the loop.
    @LoopActor private final class Turns {
        var numbers: [[Int]] = []
        private let loop: ManualLoop
        private var last = -1

        init(_ loop: ManualLoop) { self.loop = loop }

        func add(_ number: Int) {
            if last != loop.turnCount { numbers.append([]) }
            last = loop.turnCount
            numbers[numbers.count - 1].append(number)
        }
    }

    @Test @LoopActor func aTurnEndsWithItsShareAndKeepsTheOrderOfTheRest() {
        let loop = ManualLoop()
        let turns = Turns(loop)
        let work = SlicedWork<Int>(loop.services) { number in
            turns.add(number)
            loop.pass(TurnBudget.share * 2 / 5)
        }
        work.run(0..<10)
        #expect(turns.numbers == [[0, 1, 2]], "the third begins within the share")
        work.add(10)
        loop.advance(by: .seconds(1))
        #expect(turns.numbers == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10]])
        #expect(work.isEmpty)
    }

    @Test @LoopActor func anAddedItemIsHandledInALaterTurn() {
        let loop = ManualLoop()
        var handled: [Int] = []
        let work = SlicedWork<Int>(loop.services) { handled.append($0) }
        work.add(1)
        #expect(handled.isEmpty)
        loop.advance(by: .zero)
        #expect(handled == [1])
    }

    @Test @LoopActor func anItemThatIsAddedAgainIsHandledLast() {
        let loop = ManualLoop()
        var handled: [Int] = []
        let queue = Reference()
        let work = SlicedWork<Int>(loop.services) { number in
            handled.append(number)
            if number < 10 { queue.work?.add(number + 10) }
        }
        queue.work = work
        work.run([1, 2, 3])
        loop.advance(by: .zero)
        #expect(handled == [1, 2, 3, 11, 12, 13])
    }

    @Test @LoopActor func aTurnHasNoTimeAfterItsShareIsUsed() {
        let loop = ManualLoop()
        let work = SlicedWork<Int>(loop.services) { _ in }
        #expect(work.hasTime)
        loop.pass(TurnBudget.share)
        #expect(!work.hasTime, "the share of this turn is used up")
        work.add(1)
        work.finish()
        #expect(work.isEmpty)
    }
}

@Suite(.serialized) struct TurnBudgetTests {
    init() { LoopThread.start }

    @Test @LoopActor func aShareIsUsedUpAfterOneMillisecond() {
        let loop = ManualLoop()
        var budget = TurnBudget(time: loop)
        func hasTime() -> Bool { budget.hasTime }
        #expect(hasTime())
        loop.pass(.microseconds(999))
        #expect(hasTime())
        loop.pass(.microseconds(1))
        #expect(!hasTime())
    }

    @Test @LoopActor func eachTurnHasAShareOfItsOwn() {
        let loop = ManualLoop()
        var budget = TurnBudget(time: loop)
        func hasTime() -> Bool { budget.hasTime }
        #expect(hasTime())
        loop.pass(TurnBudget.share)
        #expect(!hasTime())
        loop.schedule(after: .zero) {}
        loop.advance(by: .zero)
        #expect(hasTime())
    }
}
