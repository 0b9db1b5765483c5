import Testing
import Tinyvex

@Suite struct HistoryRequestTests {
    private func history(_ members: String) throws -> HistoryRequest? {
        let request = try decode("tinyvex/history.sessionUpdates", #"{"sessionId":"s1"\#(members)}"#)
        guard case .sessionUpdates(let request) = request else { return nil }
        return request
    }

    @Test(arguments: [
        ("", HistoryRequest.Start.edge), (#","sinceSeq":0"#, .afterSeq(0)), (#","sinceSeq":7"#, .afterSeq(7)),
        (#","sinceTs":1763697600123"#, .sinceTime(1_763_697_600_123)), (#","sinceSeq":7,"sinceTs":null"#, .afterSeq(7)),
    ])
    func historyBeginsAtANumberATimeOrTheEdge(members: String, start: HistoryRequest.Start) throws {
        #expect(try history(members)?.start == start)
    }

    @Test(arguments: [("", false), (#","direction":"forward""#, false), (#","direction":"backward""#, true)])
    func historyIsForwardByDefault(members: String, isBackward: Bool) throws {
        #expect(try history(members)?.isBackward == isBackward)
    }

    @Test(arguments: [("", 100), (#","limit":1"#, 1), (#","limit":1000"#, 1000)])
    func historyHasADefaultLimit(members: String, limit: Int) throws {
        #expect(try history(members)?.limit == limit)
    }

    @Test func historyIdentifiesItsSessionLikeASubscription() throws {
        let request = try history(#","agent":"codex","journal":"9f03c2aa-1-1""#)
        #expect(request?.session == SessionReference(sessionId: "s1", agent: "codex", journal: "9f03c2aa-1-1"))
    }

    @Test(arguments: [
        (#"{}"#, "sessionId is missing"),
        (#"{"sessionId":"s1","sinceSeq":1,"sinceTs":1}"#, "sinceSeq and sinceTs cannot be used together"),
        (#"{"sessionId":"s1","sinceSeq":-1}"#, "sinceSeq must be an integer from 0 to 9223372036854775807"),
        (#"{"sessionId":"s1","sinceTs":1e3}"#, "sinceTs must be an integer from 0 to 9223372036854775807"),
        (#"{"sessionId":"s1","limit":0}"#, "limit must be an integer from 1 to 1000"),
        (#"{"sessionId":"s1","limit":1001}"#, "limit must be an integer from 1 to 1000"),
        (#"{"sessionId":"s1","direction":"up"}"#, #"direction must be "forward" or "backward""#),
        (#"{"sessionId":"s1","direction":true}"#, "direction must be a string"),
    ])
    func errorsOfBadParamsNameTheField(params: String, message: String) {
        let rejection = rejection(of: "tinyvex/history.sessionUpdates", params)
        #expect(rejection?.rpcCode == .invalidParams)
        #expect(rejection?.message == message)
    }
}
