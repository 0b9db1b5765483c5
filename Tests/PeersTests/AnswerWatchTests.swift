import EventLoop
import TestSupport
import Testing

@testable import PeerSharing

@Suite struct AnswerWatchTests {
    @LoopActor private final class Parts {
        let loop = ManualLoop()
        let watch: AnswerWatch
        var lapseCount = 0

        init() {
            watch = AnswerWatch(loop)
            watch.lapsed = { [unowned self] in lapseCount += 1 }
        }
    }

    init() { LoopThread.start }

    @Test @LoopActor func aPeerThatAnswersNothingIsNoticedOnce() {
        let parts = Parts()
        parts.watch.sent()
        parts.watch.sent()
        parts.loop.advance(by: .seconds(599))
        #expect(parts.lapseCount == 0)
        parts.loop.advance(by: .seconds(6000))
        #expect(parts.lapseCount == 1)
        // The connection is closed, which answers both.
        parts.watch.answered()
        parts.watch.answered()
        parts.loop.advance(by: .seconds(6000))
        #expect(parts.lapseCount == 1)
    }

    @Test @LoopActor func theTimeBeginsAgainWithEachAnswer() {
        let parts = Parts()
        for _ in 0..<3 { parts.watch.sent() }
        for _ in 0..<3 {
            parts.loop.advance(by: .seconds(599))
            parts.watch.answered()
        }
        parts.loop.advance(by: .seconds(6000))
        #expect(parts.lapseCount == 0)
    }
}
