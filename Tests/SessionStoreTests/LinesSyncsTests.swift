import Testing

@testable import SessionStore

@Suite struct LinesSyncsTests {
    @Test func aSyncProvesNothingIfAnotherFailedWhileItRan() {
        var syncs = LinesSyncs()
        let (first, second) = (syncs.next, syncs.next)
        #expect(!first.mustRewrite)
        syncs.failed(writtenEnd: 100)
        let isProof = syncs.succeeded(second, to: 100)
        #expect(!isProof)
        #expect(syncs.syncedEnd == 0)
        #expect(syncs.next.mustRewrite)
    }

    @Test func bytesAreWrittenAgainUntilASyncHasSucceeded() {
        var syncs = LinesSyncs()
        syncs.failed(writtenEnd: 100)
        let attempt = syncs.next
        #expect(attempt.mustRewrite)
        let isProof = syncs.succeeded(attempt, to: 100)
        #expect(isProof)
        #expect(syncs.syncedEnd == 100)
        #expect(!syncs.next.mustRewrite)
    }

    @Test func bytesThatAnotherThreadsFailedSyncCoveredAreWrittenAgain() {
        var syncs = LinesSyncs()
        syncs.failed(writtenEnd: 200)
        let isProof = syncs.succeeded(syncs.next, to: 100)
        #expect(isProof && syncs.syncedEnd == 100)
        #expect(syncs.next.mustRewrite, "bytes 100 to 200 were only in the failed sync")
        let isWhole = syncs.succeeded(syncs.next, to: 250)
        #expect(isWhole && !syncs.next.mustRewrite)
    }

    @Test func bytesThatAreDiscardedAreNotWrittenAgain() {
        var syncs = LinesSyncs()
        syncs.opened(synced: 100)
        syncs.failed(writtenEnd: 200)
        syncs.discarded(from: 150)
        #expect(syncs.next.mustRewrite)
        let isProof = syncs.succeeded(syncs.next, to: 150)
        #expect(isProof && !syncs.next.mustRewrite)
        syncs.failed(writtenEnd: 200)
        syncs.discarded(from: 100)
        #expect(!syncs.next.mustRewrite)
    }

    @Test func aLaterSyncOfLessTakesNothingBack() {
        var syncs = LinesSyncs()
        let (first, second) = (syncs.next, syncs.next)
        let isLongerProof = syncs.succeeded(second, to: 100)
        let isShorterProof = syncs.succeeded(first, to: 50)
        #expect(isLongerProof && isShorterProof)
        #expect(syncs.syncedEnd == 100)
    }

    @Test func discardedBytesAreSyncedAgain() {
        var syncs = LinesSyncs()
        syncs.opened(synced: 100)
        syncs.discarded(from: 60)
        #expect(syncs.syncedEnd == 60)
    }
}
