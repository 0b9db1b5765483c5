import SQLite
import SessionRecords
import TestSupport
import Testing

@testable import SessionLog

@Suite struct RetentionTests {
    let folder: TemporaryFolder
    let client: BlockingLogClient

    init() throws {
        folder = TemporaryFolder()
        client = try BlockingLogClient(folder.log)
    }

    /// Creates an incarnation that was last active at that time.
    @discardableResult
    private func incarnation(_ sessionId: String, at ts: Int64, bytes: Int = 10, isLive: Bool = false) throws -> Lease {
        let lease = try client.claim(sessionId, facts: SessionFacts(lastTs: ts))
        let line = String(repeating: "x", count: bytes)
        try client.append(lease, after: 0, [.run([line], ts: ts), .entry("prompt", "p", ts: ts)])
        if !isLive { try client.end(lease) }
        return lease
    }

    private func forgotten(_ retention: Retention) throws -> Forgotten {
        let answer = client.ask(.retain(retention))
        guard case .forgotten(let forgotten) = answer else { throw UnexpectedAnswer(answer: answer) }
        return forgotten
    }

    private func kept() throws -> [String] { try client.sessions().map(\.sessionId).sorted() }

    @Test func endedSessionsOverTheAgeAreDeletedAndLiveOnesAreKept() throws {
        for (number, name) in ["a", "b", "c"].enumerated() { try incarnation(name, at: Int64(1000 + number)) }
        try incarnation("live", at: 1, isLive: true)
        #expect(try forgotten(Retention(endedBefore: 1002)).incarnations.map(\.sessionId) == ["a", "b"])
        #expect(try kept() == ["c", "live"])
        #expect(try forgotten(Retention(endedBefore: 1002)).incarnations.isEmpty)
    }

    @Test func aSessionThatWasIdleForLongIsAsOldAsTheExitOfItsAgent() throws {
        let lease = try incarnation("idle", at: 1000, isLive: true)
        try client.append(lease, after: 1, [.entry(LogItem.exitKind, "{}", ts: 2000)])
        try client.end(lease)
        #expect(try forgotten(Retention(endedBefore: 2000)).incarnations.isEmpty)
        #expect(try forgotten(Retention(endedBefore: 2001)).incarnations.map(\.sessionId) == ["idle"])
    }

    @Test func sparedSessionsAreKept() throws {
        let spared = try incarnation("a", at: 1000)
        try incarnation("b", at: 1001)
        #expect(
            try forgotten(Retention(endedBefore: 9999, sparing: [spared.sid])).incarnations.map(\.sessionId) == ["b"])
        #expect(try kept() == ["a"])
    }

    @Test func oneRequestDeletesALimitedNumberAndReportsMore() throws {
        for number in 0..<(Retention.incarnations + 5) { try incarnation("s\(number)", at: Int64(number)) }
        let first = try forgotten(Retention(endedBefore: .max))
        #expect(first.incarnations.count == Retention.incarnations && first.isUnderWay)
        #expect(try forgotten(Retention(endedBefore: .max)).incarnations.count == 5)
        while try forgotten(Retention(endedBefore: .max)).isUnderWay {}
        #expect(try kept().isEmpty)
    }

    @Test func anOversizedLogDeletesOnlyAsManyOldSessionsAsNeeded() throws {
        for number in 0..<10 { try incarnation("s\(number)", at: Int64(number), bytes: 200_000) }
        try incarnation("live", at: 0, bytes: 200_000, isLive: true)
        let limit: Int64 = 1_300_000
        var gone: [String] = []
        while true {
            let forgotten = try forgotten(Retention(usedBytes: limit))
            gone += forgotten.incarnations.map(\.sessionId)
            if !forgotten.isUnderWay { break }
        }
        #expect(gone == (0..<gone.count).map { "s\($0)" }, "the oldest sessions are deleted first")
        #expect((5...6).contains(gone.count), "\(gone.count)")
        #expect(try kept().contains("live"))
        let connection = try Connection(path: folder.log, .readOnly)
        let pages = try connection.integer("PRAGMA page_count") - connection.integer("PRAGMA freelist_count")
        #expect(try pages * connection.integer("PRAGMA page_size") <= limit)
    }

    @Test func liveSessionsAreNotDeletedForSize() throws {
        try incarnation("live", at: 0, bytes: 1_000_000, isLive: true)
        #expect(try forgotten(Retention(usedBytes: 1)) == Forgotten(incarnations: [], isUnderWay: false))
    }

    // MARK: A clock that is wrong

    private static let day: Int64 = 86_400_000
    private static let start: Int64 = 1_700_000_000_000

    /// Sends the request of a bridge that keeps sessions for 30 days.
    private func look(_ client: BlockingLogClient, at now: Int64, uptime: Int64) throws -> Forgotten {
        let reading = ClockReading(now: now, uptime: uptime, age: 30 * Self.day)
        let answer = client.ask(.retain(Retention(endedBefore: now - reading.age, clock: reading)))
        guard case .forgotten(let forgotten) = answer else { throw UnexpectedAnswer(answer: answer) }
        return forgotten
    }

    @Test func aClockAYearAheadDeletesNoRecentSessions() throws {
        try incarnation("old", at: Self.start - 40 * Self.day)
        try incarnation("recent", at: Self.start)
        let ahead = Self.start + 365 * Self.day
        // The log has not stored a time yet, so it takes the time of the newest session.
        let first = try look(client, at: ahead, uptime: 0)
        #expect(first.incarnations.map(\.sessionId) == ["old"] && first.clockLead == 365 * Self.day)
        try incarnation("ahead", at: ahead)
        client.log.close()

        let next = try BlockingLogClient(folder.log)
        let second = try look(next, at: ahead + 60_000, uptime: 0)
        #expect(second.incarnations.isEmpty && second.clockLead >= 365 * Self.day)
        #expect(try next.sessions().map(\.sessionId).sorted() == ["ahead", "recent"])
        #expect(try look(next, at: Self.start + 60_000, uptime: 60_000).clockLead == 0, "the clock was corrected")
    }

    @Test func oldSessionsAreDeletedADayAfterALongShutdown() throws {
        try incarnation("old", at: Self.start)
        let back = Self.start + 90 * Self.day
        var gone: [String] = []
        for minute in 0...Int64(24 * 60) where gone.isEmpty {
            let forgotten = try look(client, at: back + minute * 60_000, uptime: minute * 60_000)
            #expect((forgotten.clockLead == 0) == (minute == 24 * 60))
            gone += forgotten.incarnations.map(\.sessionId)
        }
        #expect(gone == ["old"])
    }

    @Test func sizesAreReportedInParts() throws {
        let lease = try client.claim()
        for number in 0..<Int64(10) {
            let line = String(repeating: "x", count: 99)
            try client.append(lease, after: number, [.entry("prompt", "12345"), .run([line])])
        }
        #expect(
            client.ask(.sizes(sid: lease.sid, partBytes: 1))
                == .sizes(
                    (0..<Int64(10)).flatMap { [PartSize(last: $0, bytes: 5), PartSize(last: $0 + 1, bytes: 100)] }))
        guard case .sizes(let parts) = client.ask(.sizes(sid: lease.sid, partBytes: 500)) else { return }
        #expect(parts.map(\.bytes).reduce(0, +) == 1050 && parts.allSatisfy { $0.bytes <= 500 })
        #expect(parts.last?.last == 10)
    }
}
