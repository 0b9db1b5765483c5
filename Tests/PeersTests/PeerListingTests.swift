import SessionRecords
import Testing

@testable import Peers

struct PeerListingTests {
    /// A list in a reference, because `#expect` cannot call mutating functions.
    private final class Subject {
        private var listing = PeerListing()

        var rows: [PeerRecord] { listing.rows }

        func take(_ page: [PeerRecord], hasMore: Bool) -> Bool { listing.take(page, hasMore: hasMore) }

        func take(_ record: PeerRecord) -> Bool { listing.take(record) }
    }

    static func record(
        _ sid: Int64, lastTs: Int64, agent: String = "codex", title: String? = nil, isLive: Bool = false,
        tenant: String? = nil, usage: String? = nil, queue: [RemotePrompt] = []
    ) -> PeerRecord {
        var record = SessionRecord(
            sid: sid, agent: agent, sessionId: "s\(sid)", title: title, cwd: nil, firstPrompt: nil, tenant: tenant,
            usage: usage, label: SessionLabel(tags: ["Shop"]), journal: Journal(logId: 7, sid: sid, epoch: 1),
            createdTs: 1,
            lastTs: lastTs, oldest: 1, head: 3, timelineHead: 4, state: isLive ? .live : .ended, exit: nil)
        record.usedTs = 2
        return PeerRecord(record, isRunning: isLive, queue: queue)
    }

    @Test func aFirstPageReplacesWhatItCoversAndKeepsOlderRows() {
        let listing = Subject()
        #expect(listing.take([5, 4, 3, 2, 1].map { Self.record($0, lastTs: $0 * 10) }, hasMore: false))
        // Session 4 was deleted, and session 2 has an update.
        let page = [Self.record(2, lastTs: 60), Self.record(5, lastTs: 50), Self.record(3, lastTs: 30)]
        #expect(listing.take(page, hasMore: true))
        #expect(listing.rows.map(\.record.sid) == [2, 5, 3, 1])
        #expect(!listing.take(page, hasMore: true), "nothing has changed")
        #expect(listing.take(page, hasMore: false))
        #expect(listing.rows.map(\.record.sid) == [2, 5, 3])
    }

    @Test func rowsAreBoundedInCountAndBytes() {
        let listing = Subject()
        let many = (1...Int64(PeerListing.rowLimit) + 5).map { Self.record($0, lastTs: $0) }
        _ = listing.take(many, hasMore: false)
        #expect(
            listing.rows.count == PeerListing.rowLimit && listing.rows.first?.record.lastTs == many.last?.record.lastTs)
        let title = String(repeating: "é", count: 1_000)
        let large = (1...Int64(PeerListing.rowLimit)).map { Self.record($0, lastTs: $0, title: title) }
        _ = listing.take(large, hasMore: false)
        #expect(listing.rows.reduce(0) { $0 + $1.costBytes } <= PeerListing.limitBytes)
        #expect(listing.rows.count < PeerListing.rowLimit && listing.rows.count > 800)
    }

    @Test func childrenAreLeftOutIfTheyAreNotWanted() throws {
        var child = Self.record(2, lastTs: 20).record
        child.parentId = "s1"
        var filter = SessionFilter()
        filter.hasChildren = false
        let query = ReadRequest.Query.list(filter, offset: 0, limit: 9)
        let listing = try #require(PeerListing.listing(query, of: [child, Self.record(1, lastTs: 10).record]))
        #expect(listing.records.map(\.sid) == [1] && listing.total == 1)
    }

    @Test func aFoundSessionMovesInTheListOnlyIfItIsThere() {
        let listing = Subject()
        _ = listing.take([2, 1].map { Self.record($0, lastTs: $0 * 10) }, hasMore: false)
        #expect(listing.take(Self.record(1, lastTs: 30)))
        #expect(listing.rows.map(\.record.sid) == [1, 2])
        #expect(!listing.take(Self.record(1, lastTs: 30)))
        #expect(!listing.take(Self.record(9, lastTs: 99)))
    }

    @Test func queriesSelectOrderAndPageTheRows() throws {
        let records = [
            Self.record(1, lastTs: 10, title: "Login"), Self.record(2, lastTs: 20, agent: "claude", isLive: true),
            Self.record(3, lastTs: 20, tenant: "acme"),
        ].map { $0.record(of: "laptop", unreachableTs: nil) }
        func sids(_ query: ReadRequest.Query) throws -> [Int64] {
            try #require(PeerListing.listing(query, of: records)).records.map(\.sid)
        }
        #expect(try sids(.sessions(liveOnly: false, limit: 10)) == [3, 2, 1])
        #expect(try sids(.sessions(liveOnly: true, limit: 10)) == [2])
        #expect(try sids(.sessions(liveOnly: false, limit: 10, tenant: "acme")) == [3])
        #expect(try sids(.sessions(liveOnly: false, limit: 10, after: ListingPosition(lastTs: 20, sid: 3))) == [2, 1])
        #expect(try sids(.list(SessionFilter(words: ["LOG", "shop"]), offset: 0, limit: 5)) == [1])
        #expect(try sids(.list(SessionFilter(words: ["CLAUD", "laptop"]), offset: 0, limit: 5)) == [2])
        #expect(try sids(.list(SessionFilter(agent: "claude"), offset: 0, limit: 5)) == [2])
        #expect(try sids(.incarnations(sessionId: "s3", agent: nil, limit: 5)) == [3])
        let first = try #require(PeerListing.listing(.list(SessionFilter(), offset: 1, limit: 1), of: records))
        #expect(first.records.map(\.sid) == [3, 2] && first.total == 3 && first.hasMore)
        #expect(PeerListing.listing(.logId, of: records) == nil)
    }
}
