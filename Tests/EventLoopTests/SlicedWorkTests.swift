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

    /// A clock that advances only when the test sets it.
    @LoopActor private final class ManualClock {
        var now = Instant(nanoseconds: 0)
    }

    /// The numbers that were handled in each turn of the loop.
    @LoopActor private final class Turns {
        var numbers: [[Int]] = []
        private var last = -1

        func add(_ number: Int) {
            if last != EventLoop.main.turnCount { numbers.append([]) }
            last = EventLoop.main.turnCount
            numbers[numbers.count - 1].append(number)
        }
    }

    /// Returns after the loop has run a timer.
    @LoopActor private func pause() async {
        await withCheckedContinuation { continuation in
            EventLoop.main.schedule(after: .zero) { continuation.resume() }
        }
    }

    @Test @LoopActor func aTurnEndsWithItsShareAndKeepsTheOrderOfTheRest() async {
        let (clock, turns) = (ManualClock(), Turns())
        let work = SlicedWork<Int>(budget: TurnBudget { clock.now }) { number in
            turns.add(number)
            clock.now = clock.now + TurnBudget.share * 2 / 5
        }
        work.run(0..<10)
        #expect(turns.numbers == [[0, 1, 2]], "the third begins within the share")
        work.add(10)
        while !work.isEmpty { await pause() }
        #expect(turns.numbers == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10]])
    }

    @Test @LoopActor func anItemThatIsAddedAgainIsHandledLast() async {
        var handled: [Int] = []
        let queue = Reference()
        let work = SlicedWork<Int> { number in
            handled.append(number)
            if number < 10 { queue.work?.add(number + 10) }
        }
        queue.work = work
        work.run([1, 2, 3])
        while !work.isEmpty { await pause() }
        #expect(handled == [1, 2, 3, 11, 12, 13])
    }

    @Test @LoopActor func aTurnHasNoTimeAfterItsShareIsUsed() {
        let clock = ManualClock()
        let work = SlicedWork<Int>(budget: TurnBudget { clock.now }) { _ in }
        #expect(work.hasTime)
        clock.now = clock.now + TurnBudget.share
        #expect(!work.hasTime, "the share of this turn is used up")
        work.add(1)
        work.finish()
        #expect(work.isEmpty)
    }
}
