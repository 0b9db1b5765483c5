import Posix
import TestSupport
import Testing

@testable import EventLoop

/// The two sources are agents. The time passes only as stated.
@Suite struct FloodLimitTests {
    init() { LoopThread.start }

    private let sources = SteadySources()
    private let start = Instant(nanoseconds: 1_000_000_000)

    @LoopActor private func limit() -> FloodLimit { FloodLimit(sources) }

    /// Returns the pause after `work` that ends at a time.
    @LoopActor private func pause(_ limit: inout FloodLimit, after work: Duration, at milliseconds: Int) -> Duration? {
        limit.pause(after: work, at: start + .milliseconds(milliseconds))
    }

    @Test @LoopActor func aFloodByItselfHasNoPauses() {
        var flood = limit()
        let pauses = (0..<100).map { pause(&flood, after: .milliseconds(10), at: 10 * $0) }
        #expect(pauses.allSatisfy { $0 == nil })
    }

    @Test @LoopActor func besideASteadySourceAFloodHasATenthOfTheTime() {
        var (flood, steady) = (limit(), limit())
        var (now, worked) = (0, 0)
        while now < 10_000 {
            #expect(pause(&steady, after: .zero, at: now) == nil)
            now += 1
            worked += 1
            let pause = pause(&flood, after: .milliseconds(1), at: now)
            now += Int((pause ?? .zero) / .milliseconds(1))
        }
        #expect((990...1_020).contains(worked))
    }

    @Test @LoopActor func aBurstOfFourMillisecondsHasNoPause() {
        var (flood, steady) = (limit(), limit())
        #expect(pause(&steady, after: .zero, at: 0) == nil)
        #expect(pause(&flood, after: .milliseconds(4), at: 4) == nil)
        #expect(pause(&flood, after: .milliseconds(1), at: 5) == .milliseconds(9))
        // The burst is there again after a rest of 36 ms.
        #expect(pause(&flood, after: .milliseconds(4), at: 54) == nil)
    }

    @Test @LoopActor func aSourceThatWasSteadyASecondAgoDoesNotCount() {
        var (flood, steady) = (limit(), limit())
        #expect(pause(&steady, after: .zero, at: 0) == nil)
        #expect(pause(&flood, after: .milliseconds(5), at: 999) == .milliseconds(9))
        #expect(pause(&flood, after: .milliseconds(500), at: 1_000) == nil)
    }

    @Test @LoopActor func besideASteadySourceBackgroundWorkHasATenthOfTheTime() {
        var steady = limit()
        let pauses = [-1, 0, 999, 1_000].map { (now: Int) -> Duration in
            if now == 0 { #expect(pause(&steady, after: .zero, at: now) == nil) }
            return sources.pause(afterBackgroundWork: .milliseconds(3), at: start + .milliseconds(now))
        }
        #expect(pauses == [3, 27, 27, 3].map { .milliseconds($0) })
    }

    @Test @LoopActor func aWaitThatCountsAsBackgroundWorkMakesNoLongPause() {
        var steady = limit()
        #expect(pause(&steady, after: .zero, at: 0) == nil)
        let pauses = [11, 12, 100, 101].map {
            sources.pause(afterBackgroundWork: .milliseconds($0), at: start + .milliseconds(200))
        }
        #expect(pauses == [99, 100, 100, 101].map { .milliseconds($0) })
    }

    /// A flood often begins with little, and writes little now and then.
    @Test @LoopActor func aSourceDoesNotWaitForItself() {
        var flood = limit()
        #expect(pause(&flood, after: .zero, at: 0) == nil)
        #expect(pause(&flood, after: .milliseconds(50), at: 50) == nil)
        #expect(pause(&flood, after: .zero, at: 60) == nil)
        #expect(pause(&flood, after: .milliseconds(50), at: 110) == nil)
    }

    @Test @LoopActor func anotherSourceCountsAlsoIfTheFloodWroteLittleAfterIt() {
        var (flood, steady) = (limit(), limit())
        #expect(pause(&steady, after: .zero, at: 0) == nil)
        for time in 1..<5 { #expect(pause(&flood, after: .zero, at: time) == nil) }
        #expect(pause(&flood, after: .milliseconds(6), at: 20) == .milliseconds(18))
    }

    @Test @LoopActor func aPauseIsNotLongerThan18Milliseconds() {
        var (flood, steady) = (limit(), limit())
        #expect(pause(&steady, after: .zero, at: 0) == nil)
        #expect(pause(&flood, after: .milliseconds(900), at: 900) == .milliseconds(18))
    }

    @Test @LoopActor func aSourceThatNeedsMuchIsNotSteady() {
        var (flood, other) = (limit(), limit())
        #expect(pause(&other, after: .milliseconds(3), at: 3) == nil)
        #expect(pause(&flood, after: .milliseconds(50), at: 50) == nil)
    }

    @Test @LoopActor func aTimeThatGoesBackDoesNotTrap() {
        var (flood, steady) = (limit(), limit())
        #expect(pause(&steady, after: .zero, at: 0) == nil)
        #expect(pause(&flood, after: .milliseconds(5), at: 10) == .milliseconds(9))
        #expect(pause(&flood, after: .milliseconds(-5), at: 0) == .milliseconds(9))
    }
}
