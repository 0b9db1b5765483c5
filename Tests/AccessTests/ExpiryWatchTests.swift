import TestSupport
import Testing

@testable import Access
@testable import EventLoop

/// A watch on a clock that the test advances. The clock begins at 1,000 ms.
@LoopActor private final class WatchUnderTest {
    let loop = ManualLoop()
    private(set) var checkCount = 0
    private(set) lazy var watch = ExpiryWatch(services: loop.services) { [unowned self] in checkCount += 1 }

    func pass(milliseconds: Int) { loop.advance(by: .milliseconds(milliseconds)) }
}

@Suite(.timeLimit(.minutes(1))) struct ExpiryWatchTests {
    init() { LoopThread.start }

    @Test @LoopActor func theWatchChecksWhenTheFirstIdentityExpires() {
        let under = WatchUnderTest()
        under.watch.watch(9_000)
        under.watch.watch(3_000)
        under.watch.watch(nil)
        under.pass(milliseconds: 1_999)
        #expect(under.checkCount == 0)
        under.pass(milliseconds: 1)
        #expect(under.checkCount == 1)
    }

    @Test @LoopActor func theWatchNeverChecksIfNoIdentityExpires() {
        let under = WatchUnderTest()
        under.watch.watch(nil)
        under.pass(milliseconds: 10_000_000)
        #expect(under.checkCount == 0)
    }

    @Test @LoopActor func anExpiredIdentityIsCheckedInTheNextTurn() {
        let under = WatchUnderTest()
        under.watch.watch(500)
        #expect(under.checkCount == 0)
        under.pass(milliseconds: 0)
        #expect(under.checkCount == 1)
    }

    @Test @LoopActor func aChangedClockIsDetectedWithinAMinute() {
        let under = WatchUnderTest()
        under.watch.watch(1_000_000)
        under.pass(milliseconds: 60_000)
        #expect(under.checkCount == 1)
    }
}
