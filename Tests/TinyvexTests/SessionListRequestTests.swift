import JSONScan
import Testing
import Tinyvex

@Suite struct SessionListRequestTests {
    private func request(_ params: String) throws -> SessionListRequest {
        try SessionListRequest(Parameters(JSONValue(validating: Array(params.utf8))))
    }

    @Test func allParamsAreOptional() throws {
        let request = try request("{}")
        #expect(request.agent == nil && request.isLive == nil && !request.isArchived && request.words.isEmpty)
        #expect(request.page == 1 && request.limit == 50 && request.offset == 0)
    }

    @Test func aSearchIsSplitIntoWords() throws {
        #expect(try request(#"{"search":"  Login\n tést "}"#).words == ["Login", "tést"])
    }

    @Test func aPageSkipsThePreviousPages() throws {
        let request = try request(#"{"page":10000,"limit":200,"live":true,"archived":true,"agent":"codex"}"#)
        #expect(request.offset == 1_999_800)
        #expect(request.isLive == true && request.isArchived && request.agent == "codex")
    }

    @Test func theOrderAndTheChildrenCanBeChosen() throws {
        #expect(try !request("{}").isWaitingFirst && request("{}").hasChildren)
        #expect(try !request(#"{"order":"recent","search":"a"}"#).isWaitingFirst)
        let request = try request(#"{"order":"waiting","children":false}"#)
        #expect(request.isWaitingFirst && !request.hasChildren)
    }

    @Test(arguments: [
        #"{"order":"oldest"}"#, #"{"order":1}"#, #"{"order":"waiting","search":"a"}"#, #"{"children":"no"}"#,
        #"{"page":0}"#, #"{"page":10001}"#, #"{"limit":0}"#, #"{"limit":201}"#, #"{"live":1}"#, #"{"archived":"no"}"#,
        #"{"agent":[]}"#, #"{"search":7}"#, #"{"search":"\#(String(repeating: "x", count: 257))"}"#,
    ])
    func invalidParamsAreRejected(params: String) {
        #expect(throws: Rejection.self) { try request(params) }
    }
}
