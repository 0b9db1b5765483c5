import BridgeRequests
import JSONScan
import TerminalIO
import Testing

@testable import TerminalEditing

@Suite struct SessionRingTests {
    private func session(_ id: String, _ created: Int, _ more: String = "") throws -> ListedSession {
        let row =
            #"{"sessionId":"\#(id)","agent":"a","title":"\#(id)","live":true,"state":"idle","createdTs":\#(created),"#
            + #""lastTs":\#(created)\#(more)}"#
        return try #require(ListedSession(JSONValue(validating: Array(row.utf8))))
    }

    private func pending(_ ids: String...) throws -> PendingCounts {
        PendingCounts(
            rows: try ids.map { try JSONValue(validating: Array(#"{"agent":"a","sessionId":"\#($0)"}"#.utf8)) })
    }

    @Test func theBellRingsOnceForASessionThatWaits() throws {
        let (one, two, three) = (try session("one", 1), try session("two", 2), try session("three", 3))
        let known = KnownWaiting()
        #expect(known.note([two], seen: one))
        #expect(!known.note([two], seen: one))
        #expect(!known.note([one, two], seen: three), "the person has come from one")
        #expect(!known.note([], seen: three))
        #expect(known.note([two], seen: three))
    }

    @Test func theMessageOfTheLastSessionSaysWhyThereIsNone() {
        #expect(SessionCommand.last.absence(hasPrevious: false).text.contains("not switched"))
        #expect(SessionCommand.last.absence(hasPrevious: true).text.contains("has ended"))
    }

    @Test func theOrderIsThatOfTheBeginningsAndHasNoEnds() throws {
        let (one, two, three) = (try session("one", 1), try session("two", 2), try session("three", 3))
        let ring = SessionRing([three, one, two])
        #expect(ring.session(1, after: one)?.id == "two")
        #expect(ring.session(1, after: three)?.id == "one")
        #expect(ring.session(-1, after: one)?.id == "three")
        #expect(SessionRing([one]).session(1, after: one) == nil)
        #expect(SessionRing([one, two]).session(-1, after: three)?.id == "two", "the present one has ended")
        #expect(SessionRing([]).session(1, after: one) == nil)
    }

    /// An earlier fault: only the first of them could be reached.
    @Test func incarnationsOfOneIdAreDifferentSessions() throws {
        let first = try session("s", 1, #","journal":"9f03c2aa-1-1""#)
        let second = try session("s", 2, #","journal":"9f03c2aa-2-1""#)
        let ring = SessionRing([second, first])
        #expect(ring.session(1, after: first)?.journal == second.journal)
        #expect(ring.session(second.key)?.journal == second.journal)
    }

    @Test func aSessionWaitsIfItOrASubagentAsks() throws {
        let (one, two, three) = (try session("one", 1), try session("two", 2), try session("three", 3))
        let child = try session("child", 4, #","parentId":"one""#)
        let grandchild = try session("grandchild", 5, #","parentId":"child""#)
        let orphan = try session("orphan", 6, #","parentId":"gone""#)
        let ring = SessionRing([one, two, three, child, grandchild, orphan])
        #expect(ring.waiting(try pending("two", "three", "orphan"), after: two).map(\.id) == ["three"])
        #expect(ring.waiting(try pending("grandchild", "three"), after: two).map(\.id) == ["three", "one"])
        #expect(ring.waiting(try pending("child"), after: one).isEmpty)
    }

    @Test func theStatusNamesTheSessions() throws {
        #expect(SessionSwitching.text([]).isEmpty)
        let text = SessionSwitching.text([try session("login", 1), try session("shop", 2)])
        #expect(text.text == "[2 waiting, Ctrl-X w] login, shop")
    }

    @Test func thePickerListsWhatWaitsAndThenWhatWasUsedLast() throws {
        let sessions = [
            try session("old", 1, #","usedTs":1,"cwd":"/home/me/shop""#), try session("new", 2, #","usedTs":9"#),
            try session("asks", 3, #","usedTs":3"#), try session("child", 4, #","parentId":"old""#),
        ]
        let rows = PickerRows(FolderName(home: "/home/me")).rows(sessions, try pending("asks"), now: 61_003)
        #expect(rows.map { $0.cells[1] } == ["asks", "new", "old"])
        #expect(rows[0].cells == ["waiting", "asks", "a", "-", "1m ago"])
        #expect(rows[2].cells[3] == "~/shop")
    }
}
