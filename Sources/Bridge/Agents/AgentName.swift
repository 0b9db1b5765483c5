/// A short name for an agent that was given as a command rather than by a profile.
enum AgentName {
    /// The program's own name, looked for behind launchers and interpreters: `npx -y @scope/codex-acp@1.4` is
    /// `codex-acp`, `python3 agent.py` is `agent.py`.
    static func derive(from command: [String]) -> String {
        var words = command[...]
        while let word = words.first {
            let name = baseName(word)
            words = words.dropFirst()
            guard launchers.contains(where: name.hasPrefix) else { return name }
            guard let next = words.firstIndex(where: { !$0.hasPrefix("-") }) else { return name }
            words = words[next...]
        }
        return "agent"
    }

    private static let launchers = [
        "npx", "uvx", "bunx", "node", "bun", "deno", "python", "pipx", "ruby", "env", "sh", "bash",
    ]

    private static func baseName(_ word: String) -> String {
        let last = word.split(separator: "/").last.map(String.init) ?? word
        let name = last.split(separator: "@", omittingEmptySubsequences: true).first.map(String.init) ?? last
        return name.split(separator: "=").first.map(String.init) ?? name
    }
}
