import Testing

@testable import ACPRouting

@Suite struct AgentNameTests {
    @Test(arguments: [
        (["codex-acp"], "codex-acp"), (["/opt/bin/goose", "acp"], "goose"),
        (["npx", "-y", "@agentclientprotocol/claude-agent-acp@latest"], "claude-agent-acp"),
        (["uvx", "fast-agent-acp==0.10.1", "-x"], "fast-agent-acp"), (["python3", "-u", "agent.py"], "agent.py"),
        (["node", "dist/index.js"], "index.js"), (["sh"], "sh"), (["npx", "-y"], "npx"), ([], "agent"),
        (["env", "KEY=secret", "-u", "X"], "X"), (["env", "KEY=secret", "codex-acp"], "codex-acp"),
        (["bash", "-o", "pipefail", "agent.sh", "-c"], "agent.sh"), (["python3.11", "-m", "agent"], "agent"),
        (["shellfish-acp", "run"], "shellfish-acp"), (["node-agent", "x"], "node-agent"),
    ])
    func anAgentIsNamedAfterItsOwnProgram(command: [String], name: String) {
        #expect(AgentName.derive(from: command) == name)
    }
}

@Suite struct ProgramTextTests {
    @Test(arguments: [
        (["sh", "-c", "KEY=secret exec agent"], "sh"), (["/bin/bash", "-lc", "secret"], "bash"),
        (["bash", "--login", "-o", "pipefail", "-ec", "secret"], "bash"), (["zsh", "+x", "-c", "secret"], "zsh"),
        (["env", "KEY=secret", "sh", "-c", "secret"], "sh"), (["env", "-S", "secret agent"], "env"),
        (["python3", "-u", "-c", "secret"], "python3"), (["node", "-e", "secret"], "node"),
        (["node", "--eval=secret"], "node"), (["deno", "eval", "secret"], "deno"), (["ruby", "-pe", "secret"], "ruby"),
        (["npx", "-c", "secret"], "npx"),
    ])
    func scriptsOnTheCommandLineAreNotUsedAsTheName(command: [String], name: String) {
        #expect(AgentName.derive(from: command) == name)
    }
}

@Suite struct PromptTitleTests {
    @Test(arguments: [
        (#"{"prompt":[{"type":"text","text":"fix\n the  bug"}]}"#, "fix the bug"),
        (#"{"prompt":[{"type":"image"},{"type":"text","text":" "},{"type":"text","text":"second"}]}"#, "second"),
    ])
    func theFirstTextOfAPromptIsTheTitle(params: String, title: String) {
        #expect(self.title(params) == title)
    }

    @Test(arguments: ["{}", "[]", "no json", #"{"prompt":[]}"#, #"{"prompt":[{"type":"image"}]}"#])
    func aPromptWithoutTextHasNoTitle(params: String) { #expect(title(params) == nil) }

    @Test func theAgentsTitleIsPreferredUnlessItIsEmpty() {
        #expect(PromptTitle.title(agents: "mine", firstPrompt: "go") == "mine")
        #expect(PromptTitle.title(agents: "", firstPrompt: "go") == "go")
        #expect(PromptTitle.title(agents: nil, firstPrompt: " ") == nil)
    }

    @Test func aLongTitleIsTruncated() {
        let title = title(#"{"prompt":[{"text":"\#(String(repeating: "word ", count: 1000))"}]}"#)
        #expect(title?.count == PromptTitle.characterLimit)
        #expect(title?.hasSuffix("…") == true)
    }

    private func title(_ params: String) -> String? {
        PromptTitle.title(agents: nil, firstPrompt: PromptTitle.text(params: Array(params.utf8)))
    }
}
