import EventLoop
import Testing

@testable import Functions

@Suite struct ClosableAgentTests {
    @Test(arguments: [
        (#"{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"close":{}}}}"#, true),
        (#"{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"close":null}}}"#, false),
        (#"{"protocolVersion":1}"#, false), (#"{"protocolVersion":2}"#, true), ("", false),
    ])
    @LoopActor func anAgentOffersToCloseSessionsAsItsVersionSays(result: String, canClose: Bool) {
        #expect(AgentFunctions.canClose(initializeResult: Array(result.utf8)) == canClose)
    }
}
