import Testing

@testable import Agents

@Suite struct ProfileSummaryTests {
    @Test(
        arguments: [
            (["codex"], "codex"), (["codex", "demo"], "codex"), (["demo"], "demo"), (["codex", "claude"], nil),
            ([], nil),
            (["codex", "claude", "demo"], nil),
        ] as [([String], String?)])
    func theOnlyInstalledAgentNeedsNoName(installed: [String], only: String?) {
        let profiles = (installed + ["absent"]).map { name in
            ProfileSummary(
                name: name, title: name, command: [name], isInstalled: name != "absent", homepage: nil, install: nil)
        }
        #expect(ProfileSummary.only(of: profiles) == only)
    }
}
