import TestSupport
import Testing

@testable import Clients
@testable import EventLoop

@LoopActor private final class Parts {
    let loop = ManualLoop()
    var isAllSent = false
    var announcements = 0
    private(set) lazy var goodbye = Goodbye(timers: loop) { [unowned self] in
        isAllSent
    } announce: { [unowned self] in
        announcements += 1
    }
}

@Suite(.serialized) struct GoodbyeTests {
    init() { LoopThread.start }

    @Test @LoopActor func aClientWithoutPendingDataIsNotifiedInTheNextTurn() {
        let parts = Parts()
        parts.isAllSent = true
        parts.goodbye.begin(patience: .seconds(2))
        #expect(parts.announcements == 0)
        parts.loop.advance(by: .zero)
        #expect(parts.announcements == 1)
    }

    @Test @LoopActor func theStopIsAnnouncedAfterTheLastStream() {
        let parts = Parts()
        parts.goodbye.begin(patience: .seconds(2))
        parts.loop.advance(by: .seconds(1))
        #expect(parts.announcements == 0)
        parts.isAllSent = true
        parts.goodbye.streamReachedEnd()
        parts.goodbye.streamReachedEnd()
        parts.loop.advance(by: .zero)
        #expect(parts.announcements == 1)
    }

    @Test @LoopActor func aClientThatDoesNotReadIsNotWaitedFor() {
        let parts = Parts()
        parts.goodbye.begin(patience: .seconds(2))
        parts.loop.advance(by: .seconds(2))
        #expect(parts.announcements == 1)
    }
}
