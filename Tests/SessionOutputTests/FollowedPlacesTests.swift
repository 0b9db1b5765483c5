import BridgeRequests
import JSONScan
import Testing
import TinyvexMachine

@testable import SessionOutput

@Suite struct FollowedPlacesTests {
    private func session(_ created: Int) throws -> ListedSession {
        let row = #"{"sessionId":"s","agent":"a","journal":"j","state":"idle","createdTs":\#(created)}"#
        return try #require(ListedSession(JSONValue(validating: Array(row.utf8))))
    }

    @Test func aSessionThatContinuesIsPrintedFromItsLastPosition() throws {
        let followed = FollowedPlaces()
        let first = try session(1)
        #expect(followed.begin(first) == .after(0))
        #expect(followed.begin(first) == nil, "it is followed already")
        followed.end(first, at: 7)
        #expect(followed.begin(first) == .after(7))
        followed.end(first, at: 9)
        #expect(followed.begin(try session(2)) == .after(0), "a new incarnation has numbers of its own")
    }
}
