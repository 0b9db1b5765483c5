import SessionRecords
import TestSupport
import Testing

@testable import SessionLog

@Suite struct ClaimTests {
    let folder: TemporaryFolder
    let client: BlockingLogClient

    init() throws {
        folder = TemporaryFolder()
        client = try BlockingLogClient(folder.log)
    }

    @Test func aNewIncarnationStartsEmpty() throws {
        let lease = try client.claim()
        #expect(lease.wasCreated && lease.epoch == 1 && lease.head == 0 && lease.timelineHead == 0 && lease.oldest == 1)
    }

    @Test func aNameCanHaveManyIncarnations() throws {
        let first = try client.claim()
        try client.append(first, after: 0, [.run(["1"])])
        let second = try client.claim()
        #expect(second.sid != first.sid && second.head == 0)
        #expect(try client.claim(mode: .continueLatest).sid == second.sid)
        try client.append(first, after: 1, [.run(["2"])])
    }

    @Test func continuingWithoutAnIncarnationCreatesOne() throws {
        let lease = try client.claim(mode: .continueLatest)
        #expect(lease.wasCreated && lease.epoch == 1)
        let next = try client.claim(mode: .continueLatest)
        #expect(!next.wasCreated && next.epoch == 2 && next.sid == lease.sid)
    }

    @Test func agentsDoNotShareNames() throws {
        let one = try client.claim("s", agent: "one")
        let two = try client.claim("s", agent: "two", mode: .continueLatest)
        #expect(one.sid != two.sid)
        #expect(try client.find("s").map(\.agent).sorted() == ["one", "two"])
        #expect(try client.find("s", agent: "two").map(\.sid) == [two.sid])
        #expect(try client.find("t").isEmpty)
    }

    @Test func findReturnsTheNewestIncarnationOfEachAgent() throws {
        _ = try client.claim("s", agent: "one")
        let newest = try client.claim("s", agent: "one")
        #expect(try client.find("s").map(\.sid) == [newest.sid])
    }

    @Test func namesWithUnusualCharactersRoundTrip() throws {
        let name = "é'\"; DROP TABLE run; --\u{0}\u{1F600}"
        let lease = try client.claim(name, agent: name, facts: SessionFacts(title: name, cwd: name))
        let record = try #require(try client.find(name, agent: name).first)
        #expect(record.sid == lease.sid && record.sessionId == name && record.title == name && record.cwd == name)
    }
}
