import Testing

@testable import Bridge

@Suite struct AgentNameTests {
    @Test(arguments: [
        (["codex-acp"], "codex-acp"), (["/opt/bin/goose", "acp"], "goose"),
        (["npx", "-y", "@agentclientprotocol/claude-agent-acp@latest"], "claude-agent-acp"),
        (["uvx", "fast-agent-acp==0.10.1", "-x"], "fast-agent-acp"), (["python3", "-u", "agent.py"], "agent.py"),
        (["node", "dist/index.js"], "index.js"), (["sh"], "sh"), (["npx", "-y"], "npx"), ([], "agent"),
    ])
    func anAgentIsNamedAfterItsOwnProgram(command: [String], name: String) {
        #expect(AgentName.derive(from: command) == name)
    }
}

@Suite struct PromptTitleTests {
    @Test(arguments: [
        (#"{"prompt":[{"type":"text","text":"fix\n the  bug"}]}"#, "fix the bug"),
        (#"{"prompt":[{"type":"image"},{"type":"text","text":" "},{"type":"text","text":"second"}]}"#, "second"),
    ])
    func theFirstWordsMakeTheTitle(params: String, title: String) {
        #expect(PromptTitle.of(params: Array(params.utf8)) == title)
    }

    @Test(arguments: ["{}", "[]", "no json", #"{"prompt":[]}"#, #"{"prompt":[{"type":"image"}]}"#])
    func aPromptWithoutTextHasNone(params: String) { #expect(PromptTitle.of(params: Array(params.utf8)) == nil) }

    @Test func aLongPromptIsCut() {
        let title = PromptTitle.of(
            params: Array(#"{"prompt":[{"text":"\#(String(repeating: "word ", count: 1000))"}]}"#.utf8))
        #expect(title?.count == PromptTitle.characterLimit)
        #expect(title?.hasSuffix("…") == true)
    }
}
