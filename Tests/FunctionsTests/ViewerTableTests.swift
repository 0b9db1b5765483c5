import Access
import JSONScan
import TestSupport
import Testing

@testable import EventLoop
@testable import Functions
@testable import Posix

@Suite struct ViewerTableTests {
    private let place = ViewerTable.Place(sid: 1, sessionId: "s1")
    private var table = ViewerTable()

    private func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }
    private func viewer(_ who: String, tenant: String? = nil) -> SessionViewer {
        SessionViewer(who: who, name: nil, tenant: tenant, sinceTs: 1_000)
    }
    private func names(tenant: String? = nil) -> [String] { table.viewers(of: place, tenant: tenant).map(\.who) }

    @Test mutating func aRepeatedReportChangesNothingAndKeepsTheViewer() {
        let reports = [0, 15, 30].map { table.viewed(place, by: viewer("a"), at: at($0)) }
        #expect(reports == [true, false, false])
        #expect(table.removeExpired(at: at(59)) == [])
        #expect(names() == ["a"])
        #expect(table.nextExpiry == at(60))
    }

    @Test mutating func aSilentViewerIsRemovedAndOthersStay() {
        _ = table.viewed(place, by: viewer("a"), at: at(0))
        _ = table.viewed(place, by: viewer("b"), at: at(15))
        #expect(table.removeExpired(at: at(30)) == [place])
        #expect(names() == ["b"])
        #expect(table.removeExpired(at: at(45)) == [place])
        #expect(table.nextExpiry == nil)
    }

    @Test mutating func aTenantSeesItsOwnViewersOnly() {
        for (who, tenant) in [("host", nil), ("ann", "acme"), ("bob", "other")] {
            _ = table.viewed(place, by: viewer(who, tenant: tenant), at: at(0))
        }
        #expect(names(tenant: "acme") == ["ann"])
        #expect(names() == ["host", "ann", "bob"])
    }

    @Test mutating func viewersOfAnotherSessionWithTheSameIdAreNotListed() {
        _ = table.viewed(place, by: viewer("a"), at: at(0))
        _ = table.viewed(.init(sid: 2, sessionId: "s1"), by: viewer("b"), at: at(0))
        #expect(names() == ["a"])
    }

    @Test mutating func viewersAreBoundedForEachSessionAndForAll() {
        for index in 0..<60 { _ = table.viewed(place, by: viewer("\(index)"), at: at(0)) }
        #expect(names().count == ViewerTable.sessionLimit)
        var added = 0
        for index in 0..<2_000 {
            let other = ViewerTable.Place(sid: Int64(index) + 2, sessionId: "s1")
            if table.viewed(other, by: viewer("a"), at: at(0)) { added += 1 }
        }
        #expect(added == ViewerTable.limit - ViewerTable.sessionLimit)
        #expect(table.removeExpired(at: at(30)).count == added + 1)
        let isAdded = table.viewed(place, by: viewer("a"), at: at(30))
        #expect(isAdded)
    }

    @Test func aViewerIsWrittenWithoutItsTenant() {
        let viewer = SessionViewer(who: "token tk_1", name: "phone", tenant: "acme", sinceTs: 5)
        let written = JSONWriter.object { viewer.write(to: &$0) }
        #expect(String(decoding: written, as: UTF8.self) == #"{"who":"token tk_1","name":"phone","sinceTs":5}"#)
    }
}

@Suite(.serialized) struct SessionPresenceTests {
    init() { LoopThread.start }

    @Test @LoopActor func theArrivalAndTheSilenceOfAViewerAreReported() {
        let loop = ManualLoop()
        let presence = SessionPresence(services: loop.services)
        var changes: [String] = []
        presence.changed = { changes.append($0) }
        let place = ViewerTable.Place(sid: 1, sessionId: "s1")
        let ann = Identity(who: "jwt ann", role: .observe)
        presence.viewed(place, by: ann, name: nil)
        loop.advance(by: .seconds(15))
        presence.viewed(place, by: ann, name: nil)
        loop.advance(by: .seconds(29))
        #expect(changes == ["s1"])
        #expect(presence.viewers(of: place, tenant: nil).map(\.who) == ["jwt ann"])
        loop.advance(by: .seconds(2))
        #expect(changes == ["s1", "s1"])
        #expect(presence.viewers(of: place, tenant: nil).isEmpty)
    }
}
