import Coalescing
import TestSupport
import Testing

@Suite struct ReadingPaceTests {
    /// Simulates a reader with the given speed and one-way delay, which is sent as much as the pace allows. Returns the
    /// greatest age of a byte that was read in the second half of the time, and the total number of bytes read.
    private func run(
        bytesPerSecond: Double, way: Duration, seconds: Int, frame: Int = 200
    ) -> (greatestAge: Duration, read: Int) {
        var pace = ReadingPace()
        /// The data in transit, in order: frames with their send times, and marks.
        var pipe: [(bytes: Int, sentAt: Duration, mark: [UInt8]?)] = []
        var marks: [(due: Duration, payload: [UInt8])] = []
        var budget = 0.0
        var read = 0
        var greatestAge = Duration.zero
        if let mark = pace.mark(at: .zero) { pipe.append((0, .zero, mark)) }
        for millisecond in 0..<(seconds * 1000) {
            let now = Duration.milliseconds(millisecond)
            while let mark = marks.first, mark.due <= now {
                pace.markCameBack(marks.removeFirst().payload, at: mark.due)
            }
            var sentNow = 0
            while pace.allowanceBytes > 0, sentNow < 4 << 20 {
                pipe.append((frame, now, nil))
                pace.sent(frame)
                sentNow += frame
                if let mark = pace.mark(at: now) { pipe.append((0, now, mark)) }
            }
            budget = min(budget + bytesPerSecond / 1000, max(bytesPerSecond / 100, Double(frame)))
            var taken = 0
            while taken < pipe.count, pipe[taken].sentAt + way <= now, budget >= Double(pipe[taken].bytes) {
                budget -= Double(pipe[taken].bytes)
                read += pipe[taken].bytes
                if let mark = pipe[taken].mark { marks.append((now + way, mark)) }
                if millisecond > seconds * 500 { greatestAge = max(greatestAge, now - pipe[taken].sentAt) }
                taken += 1
            }
            pipe.removeFirst(taken)
        }
        return (greatestAge, read)
    }

    @Test(arguments: [2_000.0, 20_000, 600_000], [0, 5, 100])
    func aSlowReaderNeverReadsOldData(bytesPerSecond: Double, wayMilliseconds: Int) {
        let way = Duration.milliseconds(wayMilliseconds)
        let (age, read) = run(bytesPerSecond: bytesPerSecond, way: way, seconds: 20)
        #expect(age < .milliseconds(600) + way * 2)
        // The reader is also kept busy.
        let wanted = min(bytesPerSecond, 512 * 1000 / Double(max(1, 2 * wayMilliseconds)))
        #expect(Double(read) > 0.6 * 20 * wanted)
    }

    @Test(arguments: [0, 5, 100])
    func aFastReaderIsNotHeldBack(wayMilliseconds: Int) {
        let (_, read) = run(bytesPerSecond: 10e6, way: .milliseconds(wayMilliseconds), seconds: 10, frame: 2_000)
        #expect(Double(read) > 0.7 * 10 * 10e6)
    }

    @Test func aReaderThatDoesNotReadReceivesOneWindow() {
        var pace = ReadingPace()
        #expect(pace.mark(at: .zero) != nil)
        var marks: [[UInt8]] = []
        while pace.allowanceBytes > 0 {
            pace.sent(100)
            if let mark = pace.mark(at: .zero) { marks.append(mark) }
        }
        #expect(marks.count == 2)
        #expect(pace.allowanceBytes == 0)
        // The last mark acknowledges the previous one too, which the peer need not return.
        pace.markCameBack(marks[1], at: .milliseconds(1))
        #expect(pace.allowanceBytes > ReadingPace.firstWindowBytes)
    }

    @Test func otherPayloadsAreIgnored() {
        var pace = ReadingPace()
        _ = pace.mark(at: .zero)
        pace.sent(10_000)
        let mark = pace.mark(at: .zero)
        for payload in [[], [1, 2], Array(repeating: 7, count: 8), Array(repeating: 0, count: 125)] as [[UInt8]] {
            pace.markCameBack(payload, at: .zero)
            #expect(pace.allowanceBytes == 0)
        }
        pace.markCameBack(mark ?? [], at: .zero)
        #expect(pace.allowanceBytes > 0)
    }

    @Test func theLatestMarkIsTheNewestThatHasNotReturned() {
        var pace = ReadingPace()
        #expect(pace.latestMark == nil)
        let first = pace.mark(at: .zero)
        #expect(pace.latestMark == first)
        pace.sent(10_000)
        let second = pace.mark(at: .zero)
        #expect(second != nil && pace.latestMark == second)
        // The answer to a repeated mark, as the only answer to all pings.
        pace.markCameBack(pace.latestMark ?? [], at: .milliseconds(1))
        #expect(pace.allowanceBytes > 0 && pace.latestMark == nil)
    }

    /// The sender has sent data without a mark, and has nothing more to send when a late mark returns.
    @Test func aMarkIsSentWhenTheWindowShrinksBelowTheDataInTransit() {
        var pace = ReadingPace()
        let first = pace.mark(at: .zero) ?? []
        pace.markCameBack(first, at: .milliseconds(1))
        pace.sent(ReadingPace.firstWindowBytes * 3 / 4)
        let late = pace.mark(at: .milliseconds(1)) ?? []
        pace.sent(ReadingPace.firstWindowBytes / 4 - 1)
        #expect(pace.mark(at: .milliseconds(1)) == nil)
        pace.sent(600)
        let behind = pace.mark(at: .milliseconds(1)) ?? []
        pace.sent(0)
        pace.markCameBack(late, at: .seconds(10))
        #expect(pace.allowanceBytes == 0 && !behind.isEmpty)
        pace.markCameBack(behind, at: .seconds(10))
        #expect(pace.allowanceBytes > 0)
    }

    /// For all sends and all delays of marks: if nothing can be sent, a mark is in transit.
    @Test func aBlockedSenderAlwaysHasAMarkInTransit() {
        var random = SeededGenerator(seed: 3)
        var stuckWithoutAsking = 0
        for _ in 0..<2_000 {
            var pace = ReadingPace()
            var marks = [pace.mark(at: .zero)].compactMap { $0 }
            var now = Duration.zero
            for _ in 0..<50 {
                now += .milliseconds(.random(in: 0...400, using: &random))
                if Bool.random(using: &random), pace.allowanceBytes > 0 {
                    pace.sent(.random(in: 1...2_000, using: &random))
                    if let mark = pace.mark(at: now) { marks.append(mark) }
                } else if !marks.isEmpty {
                    pace.markCameBack(marks.removeFirst(), at: now)
                    if pace.allowanceBytes == 0, marks.isEmpty { stuckWithoutAsking += 1 }
                    if let mark = pace.mark(at: now) { marks.append(mark) }
                }
                #expect(pace.allowanceBytes > 0 || !marks.isEmpty)
            }
        }
        #expect(stuckWithoutAsking > 0, "the tested case must occur")
    }
}
