import SessionRecords
import TestSupport
import Testing

@testable import SessionLog

@Suite struct PositionTests {
    let folder: TemporaryFolder
    let client: BlockingLogClient
    let lease: Lease

    init() throws {
        folder = TemporaryFolder()
        client = try BlockingLogClient(folder.log)
        lease = try client.claim()
        try client.append(lease, after: 0, [.run(numbered(1...10))])
    }

    @Test func claimsAreListedWithTheirFirstUpdates() throws {
        _ = try client.claim(mode: .continueLatest)
        let claims = [EpochClaim(epoch: 1, first: 1), EpochClaim(epoch: 2, first: 11)]
        #expect(client.ask(.claims(sid: lease.sid)) == .claims(claims))
        #expect(client.ask(.claims(sid: 99)) == .failed(.unknownSession(sid: 99)))
        #expect(client.ask(.logId) == .logId(lease.journal.logId))
    }

    @Test func positionsOfTheCurrentEpochAreValid() {
        for seq in 0...10 { #expect(client.position(lease.sid, lease.journal, Int64(seq)) == .position(.valid)) }
    }

    @Test(arguments: [11, Int64.max])
    func positionsBeyondTheHeadAreReset(seq: Int64) {
        #expect(client.position(lease.sid, lease.journal, seq) == .position(.resetTo(first: 11)))
    }

    @Test(arguments: [-1, Int64.min])
    func positionsBelowTheFirstUpdateAreReset(seq: Int64) {
        #expect(client.position(lease.sid, lease.journal, seq) == .position(.resetTo(first: 1)))
    }

    @Test func anOlderEpochIsValidUpToTheStartOfTheNext() throws {
        let second = try client.claim(mode: .continueLatest)
        try client.append(second, after: 10, [.run(numbered(11...20))])
        #expect(client.position(lease.sid, lease.journal, 10) == .position(.valid))
        #expect(client.position(lease.sid, lease.journal, 11) == .position(.resetTo(first: 11)))
        #expect(client.position(lease.sid, second.journal, 3) == .position(.valid))
        #expect(client.position(lease.sid, second.journal, 20) == .position(.valid))
    }

    @Test func anUnknownJournalIsResetToTheOldestUpdate() throws {
        let other = try client.claim("other")
        let journal = lease.journal
        for unknown in [
            other.journal, Journal(logId: journal.logId &+ 1, sid: journal.sid, epoch: 1),
            Journal(logId: journal.logId, sid: journal.sid, epoch: 2),
        ] {
            #expect(client.position(lease.sid, unknown, 5) == .position(.resetTo(first: 1)))
        }
        #expect(client.position(99, journal, 5) == .failed(.unknownSession(sid: 99)))
    }

    @Test func aReaderOfUpdatesLostInAPowerFailureIsReset() throws {
        let restored = TemporaryFolder()
        try folder.copyLog(to: restored)
        try client.append(lease, after: 10, [.run(numbered(11...15))])
        #expect(client.position(lease.sid, lease.journal, 15) == .position(.valid))

        let next = try BlockingLogClient(restored.log)
        let second = try next.claim(mode: .continueLatest)
        try next.append(second, after: 10, [.run((11...30).map { "other \($0)" })])
        #expect(next.position(lease.sid, lease.journal, 15) == .position(.resetTo(first: 11)))
        #expect(next.position(lease.sid, lease.journal, 10) == .position(.valid))
    }
}
