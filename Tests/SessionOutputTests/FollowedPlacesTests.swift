import BridgeRequests
import JSONScan
import Testing
import TinyvexMachine

@testable import SessionOutput

@Suite struct FollowedPlacesTests {
    private func session(_ journal: String) throws -> ListedSession {
        let row = #"{"sessionId":"s","agent":"a","journal":"\#(journal)","state":"idle","createdTs":1}"#
        return try #require(ListedSession(JSONValue(validating: Array(row.utf8))))
    }

    @Test func aSessionThatContinuesIsPrintedFromItsLastPosition() throws {
        let followed = FollowedPlaces()
        let first = try session("9f03c2aa-1-1")
        #expect(followed.begin(first) == .after(0))
        #expect(followed.begin(first) == nil, "it is followed already")
        followed.end(first, at: 7)
        let continued = try session("9f03c2aa-1-2")
        #expect(followed.begin(continued) == .after(7))
    }

    @Test func twoIncarnationsOfOneIdAreBothPrinted() throws {
        let followed = FollowedPlaces()
        #expect(followed.begin(try session("9f03c2aa-1-1")) == .after(0))
        #expect(followed.begin(try session("9f03c2aa-2-1")) == .after(0))
    }

    @Test func aSessionThatTheBridgeRefusesIsRequestedAgainOnlyWithANewJournal() throws {
        let followed = FollowedPlaces()
        let first = try session("9f03c2aa-1-1")
        #expect(followed.begin(first) == .after(0))
        followed.end(first, at: 3, isFault: true)
        #expect(followed.begin(first) == nil)
        #expect(followed.begin(try session("9f03c2aa-1-2")) == .after(3))
    }
}
