import Testing

@testable import BridgeRequests

@Suite struct AgentNamesTests {
    @Test func anUnknownAgentIsReportedWithTheNamesThatThereAre() {
        let text = CommandClient.absence(of: "nosuch", among: ["demo", "claude"])?.text
        #expect(text == "no session has the agent 'nosuch'; there are sessions of claude, demo")
        #expect(CommandClient.absence(of: "demo", among: ["demo"]) == nil)
        #expect(CommandClient.absence(of: "demo", among: []) == nil)
    }

    @Test func manyNamesAreCounted() {
        let names = Set((10..<40).map { "agent-\($0)" })
        let text = CommandClient.absence(of: "nosuch", among: names)?.text
        #expect(text?.hasSuffix("agent-28, agent-29, and 10 more") == true, "\(text ?? "")")
    }
}
