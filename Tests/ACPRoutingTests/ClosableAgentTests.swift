import ACPMethods
import Testing

@testable import ACPRouting

@Suite struct ClosableAgentTests {
    @Test(arguments: [
        (#"{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"close":{}}}}"#, true),
        (#"{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"close":null}}}"#, false),
        (#"{"protocolVersion":1}"#, false), (#"{"protocolVersion":2}"#, true), ("", false),
    ])
    func anAgentOffersToCloseSessionsAsItsVersionSays(result: String, canClose: Bool) {
        #expect(ACPMethod.canCloseSessions(initializeResult: Array(result.utf8)) == canClose)
    }
}
