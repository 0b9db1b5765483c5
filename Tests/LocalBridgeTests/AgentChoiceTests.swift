import Testing

@testable import LocalBridge

@Suite struct AgentChoiceTests {
    @Test func agentsThatAreDownloadedAreNotCalledFound() {
        let all = "`acpbridge agents` lists all."
        #expect(
            AgentChoice.choices(installed: ["demo"], downloaded: ["claude", "codex"])
                == "Found on this machine: demo. Downloaded at the first start: claude, codex. \(all)")
        #expect(AgentChoice.choices(installed: [], downloaded: ["claude"]).hasPrefix("Downloaded at the first start: "))
        #expect(AgentChoice.choices(installed: [], downloaded: []) == all)
    }
}
