import JSONScan
import Testing

@testable import BridgeRequests

@Suite struct ListedSessionTests {
    private func session(_ more: String = "") throws -> ListedSession {
        let row = #"{"sessionId":"s","agent":"a","journal":"j-1-1"\#(more)}"#
        return try #require(ListedSession(JSONValue(validating: Array(row.utf8))))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func anIncarnationIsNamedByItsJournalInCanonicalOrder() throws {
        let session = try session()
        #expect(text(session.params) == #"{"agent":"a","journal":"j-1-1","sessionId":"s"}"#)
        let role = session.params { $0.member("role", "control") }
        #expect(text(role) == #"{"agent":"a","journal":"j-1-1","sessionId":"s","role":"control"}"#)
    }

    @Test func anActionReachesWhicheverIncarnationRunsUnlessTheSessionIsOfAnotherBridge() throws {
        #expect(text(try session().arguments()) == #"{"agent":"a","sessionId":"s"}"#)
        let distant = try session(#","bridge":"b""#)
        #expect(text(distant.arguments()) == #"{"agent":"a","journal":"j-1-1","sessionId":"s"}"#)
        #expect(text(distant.arguments(of: "child")) == #"{"agent":"a","sessionId":"child"}"#)
    }
}
