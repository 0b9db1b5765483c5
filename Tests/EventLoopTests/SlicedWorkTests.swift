import TestSupport
import Testing

@testable import EventLoop
@testable import Posix

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
        let work = SlicedWork(loop.services)
        func perform(_ number: Int) {
            turns.add(number)
            loop.pass(TurnBudget.share * 2 / 5)
        }
        work.run(Array(0..<10)) { perform($0) }
        #expect(turns.numbers == [[0, 1, 2]], "the third begins within the share")
        work.add { perform(10) }
        loop.advance(by: .seconds(1))
        #expect(turns.numbers == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10]])
        #expect(work.isEmpty)
    }

    @Test @LoopActor func anAddedPieceIsPerformedInALaterTurn() {
        let loop = ManualLoop()
        var performed = 0
        let work = SlicedWork(loop.services)
        work.add { performed += 1 }
        #expect(performed == 0)
        loop.advance(by: .zero)
        #expect(performed == 1)
    }

    @Test @LoopActor func aPieceThatAnotherOneAddsIsPerformedLast() {
        let loop = ManualLoop()
        var performed: [Int] = []
        let work = SlicedWork(loop.services)
        work.run([1, 2, 3]) { number in
            performed.append(number)
            work.add { performed.append(number + 10) }
        }
        loop.advance(by: .zero)
        #expect(performed == [1, 2, 3, 11, 12, 13])
    }

    @Test @LoopActor func aTurnHasNoTimeAfterItsShareIsUsed() {
        let loop = ManualLoop()
        let work = SlicedWork(loop.services)
        #expect(work.hasTime)
        loop.pass(TurnBudget.share)
        #expect(!work.hasTime, "the share of this turn is used up")
        work.add {}
        work.finish()
        #expect(work.isEmpty)
    }
}

@Suite(.serialized) struct TurnBudgetTests {
    init() { LoopThread.start }

    @Test @LoopActor func aShareIsUsedUpAfterAQuarterOfAMillisecond() {
        let loop = ManualLoop()
        var budget = TurnBudget(time: loop)
        func hasTime() -> Bool { budget.hasTime }
        #expect(hasTime())
        loop.pass(.microseconds(249))
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
