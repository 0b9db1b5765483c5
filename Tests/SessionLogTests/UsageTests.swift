import SQLite
import SessionRecords
import TestSupport
import Testing

@testable import SessionLog
@testable import SessionStore

/// The usage of days, from the sums that agents report.
@Suite(.timeLimit(.minutes(1))) struct UsageTests {
    let folder = TemporaryFolder()
    /// Times in milliseconds: the days 1 and 2.
    private static let (day, quarter): (Int64, Int64) = (86_400_000, 900_000)

    private func client() throws -> BlockingLogClient { try BlockingLogClient(folder.log) }

    /// Begins a session at the time 0.
    private func begin(_ id: String, _ agent: String, _ client: BlockingLogClient) throws -> Int64 {
        try client.claim(id, agent: agent, facts: SessionFacts(lastTs: 0)).sid
    }

    private func report(
        _ usage: String, of sid: Int64, at ts: Int64, to client: BlockingLogClient, parent: String? = nil
    ) {
        #expect(
            client.ask(.describe(sid: sid, facts: SessionFacts(parentId: parent, usage: usage, lastTs: ts)))
                == .described)
    }

    private func usage(_ client: BlockingLogClient, _ starts: Int64..., tenant: String? = nil) -> [String] {
        guard case .usage(let usage) = client.ask(.usage(starts: starts, tenant: tenant)) else { return ["none"] }
        return usage.sums.map { sum in
            let costs = sum.costs.map { " \($0.amount) \($0.currency)" }.joined()
            return "\(sum.startTs / Self.day): \(sum.agent) \(sum.sessions) \(sum.tokens.total)\(costs)"
        }
    }

    private static func cost(_ amount: Double, _ currency: String = "USD", tokens: Int64? = nil) -> String {
        let tokens =
            tokens.map { #","tokens":{"total":\#($0),"input":0,"output":0,"cachedRead":0,"cachedWrite":0}"# } ?? ""
        return #"{"cost":{"amount":\#(amount),"currency":"\#(currency)"}\#(tokens)}"#
    }

    @Test func aSumGrowsOnTheDayOfEachReport() throws {
        let client = try client()
        let sid = try begin("s", "a", client)
        report(Self.cost(0.25, tokens: 10), of: sid, at: 2 * Self.day - 1, to: client)
        report(Self.cost(0.75, tokens: 30), of: sid, at: 2 * Self.day, to: client)
        report(Self.cost(1.25, tokens: 35), of: sid, at: 2 * Self.day + 1, to: client)
        #expect(usage(client, Self.day, 2 * Self.day) == ["2: a 1 25 1.0 USD", "1: a 1 10 0.25 USD"])
        #expect(usage(client, Self.day) == ["1: a 1 35 1.25 USD"], "the last day has no end")
        #expect(usage(client, 2 * Self.day + Self.quarter).isEmpty)
    }

    @Test func aReportThatIsStoredTwiceCountsOnceAndALowerOneIsTakenBack() throws {
        let client = try client()
        let sid = try begin("s", "a", client)
        for amount in [0.5, 0.5, 0.25] { report(Self.cost(amount), of: sid, at: Self.day, to: client) }
        #expect(usage(client, 0) == ["0: a 1 0 0.25 USD"])
    }

    @Test func aCostIsCountedOnceIfReportsWithoutItOrInAnotherCurrencyComeBetween() throws {
        let client = try client()
        let sid = try begin("s", "a", client)
        for usage in [Self.cost(5), #"{"cost":null}"#, Self.cost(6), Self.cost(2, "EUR"), Self.cost(7)] {
            report(usage, of: sid, at: Self.day, to: client)
        }
        #expect(usage(client, 0) == ["0: a 1 0 2.0 EUR 7.0 USD"])
    }

    @Test func currenciesAndAgentsAreSeparateSums() throws {
        let client = try client()
        let (one, two) = (try begin("s", "a", client), try begin("t", "b", client))
        report(Self.cost(0.5), of: one, at: Self.day, to: client)
        report(Self.cost(3, "EUR"), of: one, at: Self.day, to: client)
        report(Self.cost(1), of: two, at: Self.day, to: client)
        #expect(usage(client, 0) == ["0: a 1 0 3.0 EUR 0.5 USD", "0: b 1 0 1.0 USD"])
    }

    @Test func subagentsAndDeletedSessionsDoNotCount() throws {
        let client = try client()
        let (child, gone) = (try begin("c", "a", client), try begin("g", "a", client))
        report(Self.cost(0.5), of: child, at: Self.day, to: client, parent: "s")
        report(Self.cost(0.5), of: gone, at: Self.day, to: client)
        #expect(usage(client, 0) == ["0: a 1 0 0.5 USD"])
        #expect(client.ask(.describe(sid: gone, facts: SessionFacts(state: .ended, exit: "closed"))) == .described)
        #expect(client.ask(.delete(sid: gone)) == .deleted)
        #expect(usage(client, 0).isEmpty)
        client.log.close()
        _ = try self.client()
    }

    @Test func hugeAndBrokenReportsNeitherFailNorOverflow() throws {
        let client = try client()
        let sid = try begin("s", "a", client)
        for usage in [
            Self.cost(1e308, tokens: .max), "{", Self.cost(-1e308, tokens: 1), Self.cost(1e308, tokens: .max), "[]",
        ] {
            report(usage, of: sid, at: Self.day, to: client)
        }
        #expect(usage(client, 0).count == 1)
    }

    @Test func whatExistingSessionsHaveUsedCountsAtTheirLastActivity() throws {
        let client = try client()
        let sid = try begin("s", "a", client)
        report(Self.cost(0.5, tokens: 7), of: sid, at: 3 * Self.day, to: client)
        client.log.close()
        do {
            let connection = try Connection(path: folder.log, .readWrite)
            try connection.execute(
                "DROP TRIGGER session_spent; DROP TRIGGER session_unspent; DROP TABLE spent; PRAGMA user_version = 10")
        }
        #expect(usage(try self.client(), 3 * Self.day) == ["3: a 1 7 0.5 USD"])
    }

    /// Damages the log, so that the next start rescues its sessions.
    private func damage(_ statements: String = "") throws {
        try Connection(path: folder.log, .readWrite).execute(
            statements
                + "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = 9999 WHERE name = 'epoch'")
    }

    @Test func aRescuedSessionKeepsItsUsageByDay() throws {
        let client = try client()
        let sid = try begin("s", "a", client)
        report(Self.cost(0.25, tokens: 10), of: sid, at: Self.day, to: client)
        report(Self.cost(0.75, tokens: 30), of: sid, at: 2 * Self.day, to: client)
        client.log.close()
        try damage()
        let rescued = try self.client()
        #expect(rescued.log.damaged?.rescuedSessions == 1)
        #expect(usage(rescued, Self.day, 2 * Self.day) == ["2: a 1 20 0.5 USD", "1: a 1 10 0.25 USD"])
        report(Self.cost(1, tokens: 31), of: sid, at: 3 * Self.day, to: rescued)
        #expect(usage(rescued, 3 * Self.day) == ["3: a 1 1 0.25 USD"], "the sum continues")
    }

    @Test func theUsageOfARescuedLogOfAnEarlierVersionCountsAtTheLastActivity() throws {
        let client = try client()
        let sid = try begin("s", "a", client)
        report(Self.cost(0.5, tokens: 7), of: sid, at: 3 * Self.day, to: client)
        client.log.close()
        try damage(
            "DROP TRIGGER session_spent; DROP TRIGGER session_unspent; DROP TABLE spent; PRAGMA user_version = 10; ")
        let rescued = try self.client()
        #expect(rescued.log.damaged?.rescuedSessions == 1)
        #expect(usage(rescued, 3 * Self.day) == ["3: a 1 7 0.5 USD"])
    }

    @Test func aSumThatShrinksIsTakenBackOnTheDayOfTheCorrection() throws {
        let client = try client()
        let sid = try begin("s", "a", client)
        report(Self.cost(0.75, tokens: 30), of: sid, at: Self.day, to: client)
        report(Self.cost(0.5, tokens: 20), of: sid, at: 2 * Self.day, to: client)
        #expect(usage(client, Self.day, 2 * Self.day) == ["2: a 1 0 -0.25 USD", "1: a 1 30 0.75 USD"])
        #expect(usage(client, 0) == ["0: a 1 20 0.5 USD"], "all days together have the newest sum")
        // A missing report changes nothing.
        #expect(client.ask(.describe(sid: sid, facts: SessionFacts(lastTs: 3 * Self.day))) == .described)
        report(Self.cost(0.5, tokens: 20), of: sid, at: 3 * Self.day, to: client)
        #expect(usage(client, 3 * Self.day).isEmpty)
    }

    @Test func theRowsOfADeletedSessionAreDeletedWithIt() throws {
        let client = try client()
        let sid = try begin("s", "a", client)
        report(Self.cost(0.5), of: sid, at: Self.day, to: client)
        #expect(client.ask(.describe(sid: sid, facts: SessionFacts(state: .ended, exit: "closed"))) == .described)
        #expect(client.ask(.delete(sid: sid)) == .deleted)
        let other = try begin("t", "a", client)
        report(Self.cost(0.5), of: other, at: Self.day, to: client)
        func count(_ table: String) throws -> Int64 {
            try Connection(path: folder.log, .readOnly).integer("SELECT count(*) FROM \(table)")
        }
        // Each request is followed by some of the deletion.
        while try count("session") == 2 { report(Self.cost(1), of: other, at: Self.day, to: client) }
        #expect(try count("spent") == 1)
    }
}
