import Testing

@testable import Searching

/// Sessions by number, with the heads that the test sets.
private struct Rig {
    var schedule = IndexSchedule<Int64>()
    var heads: [Int64: Int64] = [:]
    var ended: Set<Int64> = []

    mutating func store(_ sid: Int64, _ count: Int64 = 1) {
        heads[sid, default: 0] += count
        schedule.touch(sid, sid)
    }

    mutating func tick() -> [Int64] {
        let (heads, ended) = (heads, ended)
        return schedule.advance { .init(head: heads[$0] ?? 0, isLive: !ended.contains($0)) }.sorted()
    }
}

@Suite struct IndexScheduleTests {
    @Test func aSessionIsReadAfterTwoQuietTicks() {
        var rig = Rig()
        rig.store(1)
        #expect(rig.tick().isEmpty)
        #expect(rig.tick().isEmpty)
        #expect(rig.tick() == [1])
        #expect(rig.schedule.isEmpty)
    }

    private typealias Schedule = IndexSchedule<Int64>

    /// An earlier fault: the text of an agent with 1,000 updates a second was found after two seconds, and that of one with 200
    /// updates a second after five.
    @Test(arguments: [1, 50, 250] as [Int64]) func aSessionIsReadWithinASecondAlsoIfItIsNeverQuiet(inEachTick: Int64) {
        var rig = Rig()
        for _ in 1..<Schedule.writingAge {
            rig.store(1, inEachTick)
            #expect(rig.tick().isEmpty)
        }
        rig.store(1, inEachTick)
        #expect(rig.tick() == [1])
    }

    @Test func amongManyThatWriteEachSessionIsReadAtTheAgeLimit() {
        var rig = Rig()
        for sid in 1...400 { rig.store(Int64(sid)) }
        var read: Set<Int64> = []
        for _ in 1...Schedule.oldestAge {
            read.formUnion(rig.tick())
            for sid in 1...400 { rig.store(Int64(sid)) }
        }
        #expect(read.count == 400)
    }

    @Test func ofManySessionsThatWriteThoseThatHaveWaitedLongestAreRead() {
        var rig = Rig()
        let (early, late) = (Int64(1)...16, Int64(17)...40)
        for sid in early { rig.store(sid) }
        _ = rig.tick()
        for _ in 1..<Schedule.writingAge {
            for sid in 1...40 { rig.store(Int64(sid)) }
            _ = rig.tick()
        }
        #expect(rig.schedule.sessions.count == late.count, "the earliest were read")
        for sid in late { rig.store(sid) }
        let next = rig.tick()
        #expect(next.count == Schedule.writingLimit && next.allSatisfy(late.contains))
        for sid in late { rig.store(sid) }
        #expect(rig.tick().count == late.count - Schedule.writingLimit)
        #expect(rig.schedule.sessions.allSatisfy(next.contains), "each of them has new data")
    }

    @Test func aLargeAmountIsReadAtTheNextTick() {
        var rig = Rig()
        rig.store(1)
        rig.store(2)
        _ = rig.tick()
        rig.store(1, IndexSchedule<Int64>.largeAmount)
        rig.store(2, IndexSchedule<Int64>.largeAmount - 1)
        #expect(rig.tick() == [1])
    }

    @Test func anEndedSessionIsReadAtTheNextTick() {
        var rig = Rig()
        rig.store(1)
        rig.store(2)
        rig.ended = [2]
        #expect(rig.tick() == [2])
        #expect(rig.schedule.sessions == [1])
    }

    @Test func aForgottenSessionIsNotRead() {
        var rig = Rig()
        rig.store(1)
        rig.schedule.forget(1)
        #expect(rig.schedule.isEmpty && rig.tick().isEmpty)
    }

    @Test func aWaitingSessionIsNotEvaluatedAgain() {
        var schedule = IndexSchedule<Int64>()
        schedule.touch(1, 1)
        var isEvaluated = false
        schedule.touch(
            1,
            {
                isEvaluated = true
                return 2
            }())
        #expect(!isEvaluated && schedule.sessions == [1])
    }
}
