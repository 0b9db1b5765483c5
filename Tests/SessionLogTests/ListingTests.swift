import SessionRecords
import TestSupport
import Testing

@testable import SessionLog

@Suite struct ListingTests {
    let folder: TemporaryFolder
    let client: BlockingLogClient

    init() throws {
        folder = TemporaryFolder()
        client = try BlockingLogClient(folder.log)
    }

    @Test func aRecordContainsEveryField() throws {
        let lease = try client.claim("s", agent: "demo", facts: SessionFacts(title: "first", cwd: "/w", lastTs: 100))
        try client.append(lease, after: 0, [.run(["1", "2"], ts: 200), .entry("turn", ts: 300)])
        #expect(client.ask(.describe(sid: lease.sid, facts: SessionFacts(title: "second"))) == .described)
        var expected = SessionRecord(
            sid: lease.sid, agent: "demo", sessionId: "s", title: "second", cwd: "/w", firstPrompt: nil, tenant: nil,
            label: SessionLabel(),
            journal: lease.journal, createdTs: 100, lastTs: 300, oldest: 1, head: 2, timelineHead: 3, state: .live,
            exit: nil)
        expected.usedTs = 100
        #expect(try client.sessions() == [expected])
    }

    @Test func theTimeOfTheLastUseIsThatOfAPromptOrAStart() throws {
        let lease = try client.claim(facts: SessionFacts(lastTs: 5))
        #expect(try client.sessions().map(\.usedTs) == [5])
        try client.append(lease, after: 0, [.entry("agent_start", ts: 10), .run(["1"], ts: 20)])
        #expect(try client.sessions().map(\.usedTs) == [10])
        try client.append(lease, after: 1, [.entry("prompt", ts: 30), .entry("turn_end", ts: 40)])
        #expect(try client.sessions().map(\.usedTs) == [30])
    }

    @Test func theMostRecentlyActiveSessionIsListedFirst() throws {
        var leases: [Lease] = []
        for index in 0..<6 {
            let lease = try client.claim("s\(index)", facts: SessionFacts(lastTs: 0))
            try client.append(lease, after: 0, [.run(["1"], ts: Int64([30, 10, 60, 20, 50, 40][index]))])
            if index % 2 == 0 { try end(lease) }
            leases.append(lease)
        }
        #expect(try client.sessions().map(\.lastTs) == [60, 50, 40, 30, 20, 10])
        #expect(try client.sessions(limit: 2).map(\.sessionId) == ["s2", "s4"])
        #expect(try client.sessions(liveOnly: true).map(\.sessionId) == ["s5", "s3", "s1"])
        #expect(try client.sessions(limit: -1).isEmpty)
    }

    @Test func anAppendToAnEndedIncarnationUpdatesItsRecord() throws {
        let lease = try client.claim(facts: SessionFacts(lastTs: 0))
        try client.append(lease, after: 0, [.run(["1"], ts: 10)])
        try end(lease)
        try client.append(lease, after: 1, [.entry("exit", ts: 90)])
        let record = try #require(try client.sessions().first)
        #expect(record.lastTs == 90 && record.state == .ended && record.exit == "exited 0")
        #expect(try client.sessions(liveOnly: true).isEmpty)
    }

    @Test func theExitOfTheAgentDoesNotChangeTheTimeOfTheLastActivity() throws {
        let lease = try client.claim(facts: SessionFacts(lastTs: 0))
        try client.append(lease, after: 0, [.run(["1"], ts: 10), .entry("turn_end", ts: 20)])
        try client.append(lease, after: 1, [.entry(LogItem.exitKind, ts: 90)])
        #expect(try client.sessions().map(\.lastTs) == [20])
        try end(lease)
        #expect(try client.sessions().map(\.lastTs) == [20])
        client.log.close()
        #expect(try BlockingLogClient(folder.log).sessions().map(\.lastTs) == [20])
    }

    @Test func aClaimRevivesAnEndedIncarnation() throws {
        try end(try client.claim())
        let lease = try client.claim(mode: .continueLatest)
        let record = try #require(try client.sessions(liveOnly: true).first)
        #expect(record.exit == nil && record.journal == lease.journal && record.journal.epoch == 2)
    }

    @Test func anIncarnationIsFoundByItsNumber() throws {
        let old = try client.claim()
        _ = try client.claim()
        #expect(try client.incarnation(old.sid).map(\.sid) == [old.sid], "an older incarnation than the name's newest")
        #expect(try client.incarnation(99).isEmpty)
    }

    @Test func describingAnUnknownSessionIsAnError() {
        #expect(client.ask(.describe(sid: 9, facts: SessionFacts())) == .failed(.unknownSession(sid: 9)))
    }

    private func end(_ lease: Lease) throws {
        let facts = SessionFacts(state: .ended, exit: "exited 0")
        #expect(client.ask(.describe(sid: lease.sid, facts: facts)) == .described)
    }
}
