import CLI
import JSONScan
import Testing

@testable import ClientCommands

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

@Suite struct LineDifferenceTests {
    @Test func anInsertionIsShownWithItsContext() {
        #expect(LineDifference.lines("1\n2\n3\n4\n5", "1\n2\n3\n4\nx\n5") == [" 2", " 3", " 4", "+x", " 5"])
    }

    @Test func aReplacementShowsBothLines() {
        #expect(LineDifference.lines("a\nb\nc", "a\nB\nc") == [" a", "-b", "+B", " c"])
    }

    @Test func equalTextsHaveNoDifference() { #expect(LineDifference.lines("a\nb", "a\nb").isEmpty) }

    @Test func repeatedLinesAreNotCountedTwice() {
        #expect(LineDifference.lines("a\na", "a\na\na") == [" a", " a", "+a"])
        #expect(LineDifference.lines("", "a\n") == ["+a", " "])
    }
}
