import Invocations
import JSONScan
import Testing

@testable import EditorSetup

@Suite struct EditorSettingsTests {
    private func settings(_ editor: EditorName) -> EditorSettings {
        EditorSettings(editor, agent: "claude", title: "Claude Code", program: "/usr/bin/acpbridge")
    }

    @Test(arguments: [EditorName.zed, .jetbrains])
    func theSettingsOfAnEditorWithAFileAreJSON(editor: EditorName) throws {
        let settings = settings(editor)
        let member = try #require(settings.member)
        let whole = try JSONValue(validating: Array(settings.text.utf8))
        let server = try #require(whole["agent_servers"]?["Claude Code (bridged)"])
        #expect(server["command"]?.stringValue == "/usr/bin/acpbridge")
        #expect(server["args"]?.elements.compactMap(\.stringValue) == ["--agent", "claude"])
        #expect(try JSONValue(validating: Array(member.value.utf8)).members.count == server.members.count)
    }

    @Test(arguments: [EditorName.neovim, .emacs, .toad])
    func otherEditorsGetATextWithTheCommand(editor: EditorName) {
        let settings = settings(editor)
        #expect(settings.member == nil)
        #expect(settings.text.contains("/usr/bin/acpbridge") && settings.text.contains("claude"))
        #expect(settings.text.hasSuffix("\n") && !settings.text.hasSuffix("\n\n"))
    }
}
