import FieldLimits
import SQLite
import SessionRecords
import TestSupport
import Testing

@testable import SessionLog

/// Texts of hostile sizes, as earlier versions stored them, and pages that are bounded in bytes.
@Suite struct GiantFieldTests {
    let folder: TemporaryFolder
    let client: BlockingLogClient

    init() throws {
        folder = TemporaryFolder()
        client = try BlockingLogClient(folder.log)
    }

    /// Changes the file directly, because current requests can no longer store such texts.
    private func execute(_ sql: String) throws {
        try Connection(path: folder.log, .readWrite).execute(sql)
    }

    private static let mebibyte = "printf('%.*c', 1048576, 'x')"

    private func records() throws -> [[SessionRecord]] {
        [try client.sessions(), try client.sessions(liveOnly: true), try client.list().records]
    }

    @Test func rowsOfEarlierVersionsAreTruncatedWhenRead() throws {
        let lease = try client.claim("s", facts: SessionFacts(title: "t"))
        try execute(
            """
            UPDATE session SET title = \(Self.mebibyte), own_title = \(Self.mebibyte), prompt = \(Self.mebibyte),
                cwd = \(Self.mebibyte), agent = \(Self.mebibyte)
            """)
        let agent = String(repeating: "x", count: FieldLimit.agentCharacters)
        for records in try records() + [
            client.find("s"), client.find("s", agent: agent), client.incarnation(lease.sid),
        ] {
            let record = try #require(records.first)
            #expect(record.title == String(repeating: "x", count: 1_000))
            #expect(record.label.title == record.title && record.firstPrompt == record.title)
            #expect(record.agent == agent)
            #expect(record.cwd == nil, "a truncated path would name another folder")
        }
        #expect(try client.list(SessionFilter(agent: agent, words: ["xxx"])).records.count == 1)
    }

    @Test func rowsWithOversizedIdsAreOmitted() throws {
        for id in ["a", "b"] { _ = try client.claim(id) }
        let longest = String(repeating: "i", count: FieldLimit.sessionIdBytes)
        try execute("UPDATE session SET session_id = '\(longest)' WHERE session_id = 'a'")
        try execute("UPDATE session SET session_id = '\(longest)i' WHERE session_id = 'b'")
        for records in try records() { #expect(records.map(\.sessionId) == [longest]) }
        #expect(try client.list().total == 1)
        #expect(try client.find(longest + "i").isEmpty && client.incarnation(2).isEmpty)
    }

    @Test func storedTextsOfFewCharactersAreAlsoLimitedInBytes() throws {
        // One `Character` with a million scalars.
        let title = "e" + String(repeating: "\u{301}", count: 1 << 20)
        _ = try client.claim("s", facts: SessionFacts(title: title, cwd: "/" + title, firstPrompt: title))
        let record = try #require(try client.sessions().first)
        #expect(record.title == String(title.unicodeScalars.prefix(1_000)) && record.firstPrompt == record.title)
        #expect(record.cwd == nil)
    }

    @Test func aTitleWithANULIsNotTruncated() throws {
        _ = try client.claim("s", facts: SessionFacts(title: "a\0b"))
        #expect(try client.sessions().first?.title == "a\0b")
    }

    @Test func pagesAreLimitedInBytesAndContinueWhereTheyEnded() throws {
        // 16 KiB per record, 6.4 MB in total. Every second session has ended, and each session has one of three times.
        let text = String(repeating: "\u{1F600}", count: 1_000)
        let folder = "/" + String(repeating: "x", count: FieldLimit.folderBytes - 1)
        for number in 0..<400 {
            let facts = SessionFacts(title: text, cwd: folder, firstPrompt: text, lastTs: Int64(number % 3))
            let lease = try client.claim("s", agent: "agent \(number)", facts: facts)
            try client.append(lease, after: 0, [.run(["1"], ts: Int64(number % 3))])
            if number % 2 == 0 { try client.end(lease) }
        }
        let first = try client.recent()
        #expect(first.hasMore && first.records.count < 400)
        let pages: [(ListingPosition?) throws -> SessionListing] = [
            { try client.recent(after: $0) }, { try client.list(after: $0) },
            { try client.recent(limit: 7, after: $0) }, { try client.list(limit: 7, after: $0) },
            { try incarnations(after: $0) },
        ]
        for page in pages {
            let all = try all(page)
            #expect(Set(all.map(\.sid)).count == 400 && all.count == 400)
            #expect(
                all.map { [$0.lastTs, $0.sid] }
                    == all.map { [$0.lastTs, $0.sid] }.sorted { $1.lexicographicallyPrecedes($0) })
        }
        #expect(try all { try client.recent(liveOnly: true, limit: 7, after: $0) }.count == 200)
    }

    private func incarnations(after position: ListingPosition?) throws -> SessionListing {
        let answer = client.ask(.incarnations(sessionId: "s", agent: nil, limit: 7, after: position))
        guard case .listing(let listing) = answer else { throw UnexpectedAnswer(answer: answer) }
        return listing
    }

    private func all(_ page: (ListingPosition?) throws -> SessionListing) throws -> [SessionRecord] {
        var all: [SessionRecord] = []
        while true {
            let listing = try page(all.last.map { ListingPosition($0) })
            all += listing.records
            guard listing.hasMore, !listing.records.isEmpty else { return all }
        }
    }

    @Test(arguments: ["", "1", "1.2.3", "a.b", "1.", ".1", "1.9223372036854775808", " 1.2"])
    func anInvalidListingPositionIsRefused(text: String) { #expect(ListingPosition(text) == nil) }

    @Test func aListingPositionRoundTrips() {
        #expect(ListingPosition("12.34") == ListingPosition(lastTs: 12, sid: 34))
        #expect(ListingPosition(lastTs: 12, sid: 34).description == "12.34")
    }
}
