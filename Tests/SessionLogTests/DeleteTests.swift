import Glibc
import SQLite
import SessionRecords
import TestSupport
import Testing

@testable import SessionLog
@testable import SessionStore

@Suite struct DeleteTests {
    let folder: TemporaryFolder
    let client: BlockingLogClient

    init() throws {
        folder = TemporaryFolder()
        client = try BlockingLogClient(folder.log)
    }

    private func ended(_ sessionId: String, runs: Int = 1) throws -> Lease {
        let lease = try client.claim(sessionId)
        for number in 0..<runs {
            try client.append(lease, after: Int64(number), [.run(["secret"]), .entry("prompt", "secret")])
        }
        try client.end(lease)
        return lease
    }

    @Test func aDeletedIncarnationIsUnknownToEveryRequest() throws {
        let lease = try ended("s")
        #expect(client.ask(.delete(sid: lease.sid)) == .deleted)
        let unknown = Answer.failed(.unknownSession(sid: lease.sid))
        #expect(try client.sessions().isEmpty)
        #expect(try client.list().total == 0)
        #expect(try client.find("s").isEmpty)
        #expect(try client.incarnation(lease.sid).isEmpty)
        #expect(client.ask(.page(sid: lease.sid, from: 1)) == unknown)
        #expect(client.ask(.describe(sid: lease.sid, facts: SessionFacts())) == unknown)
        #expect(client.ask(.label(sid: lease.sid, .archived(true))) == unknown)
        #expect(client.ask(.delete(sid: lease.sid)) == unknown)
        #expect(
            client.ask(.claim(agent: "demo", sessionId: "s", mode: .again(sid: lease.sid), facts: SessionFacts()))
                == unknown)
        let append = WriteRequest.Operation.append(sid: lease.sid, epoch: 1, after: 1, items: [.run(["2"])])
        #expect(client.ask(append) == .failed(.fenced(epoch: 0)))
    }

    @Test func deletionRemovesTheRowsOfOneIncarnationOnly() throws {
        let kept = try ended("kept")
        let lease = try ended("s", runs: 3 * Chunk.rows)
        #expect(client.ask(.delete(sid: lease.sid)) == .deleted)
        client.log.close()

        // The log can close in the middle of the deletion; the next start deletes the rest.
        let again = try BlockingLogClient(folder.log)
        #expect(try again.page(kept.sid).count == 1)
        while try rows("run", lease.sid) + rows("entry", lease.sid) + rows("session", lease.sid) > 0 {
            _ = again.ask(.describe(sid: kept.sid, facts: SessionFacts()))
        }
        #expect(try rows("epoch", lease.sid) == 0)
        #expect(try rows("run", kept.sid) == 1)
    }

    @Test func deletingALiveIncarnationIsRefused() throws {
        let lease = try client.claim()
        #expect(client.ask(.delete(sid: lease.sid)) == .failed(.sessionIsLive(sid: lease.sid)))
        try client.append(lease, after: 0, [.run(["1"])])
        #expect(client.ask(.delete(sid: 9)) == .failed(.unknownSession(sid: 9)))
    }

    @Test func aClaimAfterADeletionStartsANewIncarnation() throws {
        let old = try ended("s")
        #expect(client.ask(.delete(sid: old.sid)) == .deleted)
        let new = try client.claim("s", mode: .continueLatest)
        #expect(new.wasCreated && new.sid > old.sid && new.head == 0)
    }

    @Test func aBridgeWithAHubFindsItsDeletionsInTheNextStart() throws {
        let before = try ended("before")
        #expect(client.ask(.delete(sid: before.sid)) == .deleted)
        #expect(client.ask(.noteDeletions([77, 77, .max])) == .deletionsNoted)
        let lease = try ended("s")
        #expect(client.ask(.delete(sid: lease.sid)) == .deleted)
        #expect(client.ask(.delete(sid: lease.sid)) == .failed(.unknownSession(sid: lease.sid)))
        client.log.close()

        let again = try BlockingLogClient(folder.log)
        #expect(again.ask(.deletions(limit: 10)) == .deletions([lease.sid, 77, .max]))
        #expect(again.ask(.deletions(limit: 1)) == .deletions([lease.sid]))
        #expect(again.ask(.forgetDeletions([lease.sid, .max, 5])) == .deletionsNoted)
        #expect(again.ask(.deletions(limit: 10)) == .deletions([77]))
    }

    @Test func aRestoredLogStillNotesDeletions() throws {
        #expect(client.ask(.noteDeletions([])) == .deletionsNoted)
        let lease = try ended("s")
        #expect(unlink(folder.log) == 0)
        client.log.checkFiles()
        #expect(client.ask(.delete(sid: lease.sid)) == .deleted)
        #expect(client.ask(.deletions(limit: 10)) == .deletions([lease.sid]))
    }

    private func rows(_ table: String, _ sid: Int64) throws -> Int64 {
        try Connection(path: folder.log, .readOnly).integer("SELECT count(*) FROM \(table) WHERE sid = \(sid)")
    }
}
