import EventLoop
import SessionRecords
import TestSupport
import Testing

@testable import SessionStreams

@Suite(.serialized) struct LogHealthTests {
    init() { LoopThread.start }

    @Test @LoopActor func aFailedSyncLastsUntilASyncSucceedsAlthoughTheLogIsWritten() {
        var health = LogHealth()
        health.failed(.closed)
        health.syncFailed(.closed)
        health.written()
        #expect(!health.hasFailed && health.failure == .closed)
        health.syncFailed(nil)
        #expect(health.failure == nil)
    }
}
