import Hub
import SessionRecords
import SessionSearch
import Testing
import Tinyvex

@testable import Searching

@Suite struct SearchPagesTests {
    private static let session = HubSid(logId: 9, own: 4)

    /// A candidate of the bridge's own index, `seconds` after 2020.
    private static func own(_ seconds: Int64) -> SearchCandidate {
        SearchCandidate(id: seconds << 10, sid: 1, first: seconds, last: seconds)
    }

    /// A candidate of the hub, `seconds` after 2020.
    private static func other(_ seconds: Int64) throws -> HubCandidate {
        let session = try #require(session)
        let ts = (1_577_836_800 + seconds) * 1000
        return HubCandidate(place: HubSearchPlace(ts: ts, session: session, first: seconds), last: seconds + 1)
    }

    @Test func bothListsAreJoinedByTime() throws {
        let pages = SearchPages(
            own: [Self.own(9), Self.own(3)], others: [try Self.other(7), try Self.other(1)], after: SearchCursor(),
            limit: 4)
        #expect(pages.candidates.map(\.first) == [9, 7, 3, 1])
        #expect(pages.candidates.map { HubSid($0.sid) != nil } == [false, true, false, true])
        #expect(pages.next == nil)
    }

    @Test func olderCandidatesEndTheList() throws {
        let since = (1_577_836_800 + 3) * 1000 as Int64
        let pages = SearchPages(
            own: [Self.own(9), Self.own(3), Self.own(2)], others: [try Self.other(7), try Self.other(2)],
            after: SearchCursor(), limit: 3, since: since)
        #expect(pages.candidates.map(\.first) == [9, 7, 3])
        #expect(pages.next == nil)
    }

    @Test(arguments: 1...3) func pagesHaveEachCandidateOnce(limit: Int) throws {
        let own = [9, 5, 4].map { Self.own($0) }
        let others = try [8, 7, 1].map { try Self.other($0) }
        var cursor = SearchCursor()
        var found: [Int64] = []
        for _ in 0..<10 {
            let start = cursor
            let pages = SearchPages(
                own: own.filter { $0.id < start.own ?? .max },
                others: others.filter { $0.place.ts < start.others?.ts ?? .max }, after: start, limit: limit)
            found += pages.candidates.map(\.first)
            guard let next = pages.next else { break }
            cursor = try SearchCursor(next.text)
            #expect(cursor == next)
        }
        #expect(found == [9, 8, 7, 5, 4, 1])
    }

    @Test func aCursorOfOneIndexHasOneNumber() throws {
        #expect(SearchCursor(own: 77).text == "77")
        #expect(try SearchCursor("77") == SearchCursor(own: 77))
        #expect(try SearchCursor(nil) == SearchCursor())
        let place = try Self.other(1).place
        #expect(try SearchCursor(SearchCursor(others: place).text) == SearchCursor(others: place))
    }

    @Test(arguments: ["", "-", "x", "1.2", "1.2.3.4", "1.2.3.4.5", ".1.1.1"])
    func otherTextsAreNoCursors(text: String) {
        #expect(throws: Rejection.self) { try SearchCursor(text) }
    }

    @Test func theLongestCursorFitsItsLimit() throws {
        let session = try #require(HubSid(logId: 0xffff_ffff, own: (1 << 30) - 1))
        let place = HubSearchPlace(ts: 4_102_444_800_000, session: session, first: 1 << 53)
        #expect(SearchCursor(own: 1 << 45, others: place).text.utf8.count <= 64)
    }
}
