import FieldLimits

/// A short name for an agent that was given as a command rather than by a profile.
package enum AgentName {
    /// Returns the program's own name, which can follow launchers and interpreters: `npx -y @scope/codex-acp@1.4` gives
    /// `codex-acp`, `python3 agent.py` gives `agent.py`.
    ///
    /// For an interpreter that gets its program as text (`sh -c …`), the result is the interpreter's own name. The text
    /// can hold keys, and this name is written to the audit log.
    package static func derive(from command: [String]) -> String {
        program(of: command).prefix(scalars: FieldLimit.agentCharacters)
    }

    private static func program(of command: [String]) -> String {
        var words = command[...]
        while let word = words.popFirst() {
            let name = baseName(word)
            guard let launcher = Launcher(name) else { return name }
            guard let next = launcher.program(in: words) else { return name }
            words = next
        }
        return "agent"
    }

    private static func baseName(_ word: String) -> String {
        let last = word.split(separator: "/").last.map(String.init) ?? word
        let name = last.split(separator: "@", omittingEmptySubsequences: true).first.map(String.init) ?? last
        return name.split(separator: "=").first.map(String.init) ?? name
    }
}

/// A program that runs another program, which its command line names.
private enum Launcher {
    case shell, python, script, assignments, plain

    /// Returns nil for a program that does not launch others. `python3.11` counts as `python`.
    init?(_ name: String) {
        switch name.prefix(while: \.isLetter) {
        case "sh", "bash", "dash", "zsh", "ksh", "fish": self = .shell
        case "python": self = .python
        case "node", "nodejs", "bun", "deno", "ruby": self = .script
        case "env": self = .assignments
        case "npx", "uvx", "bunx", "pipx": self = .plain
        default: return nil
        }
        guard name.drop(while: \.isLetter).allSatisfy({ $0.isNumber || $0 == "." }) else { return nil }
    }

    /// Returns the command after the launcher's own options. Returns nil if there is none, or if it is a program's
    /// text.
    func program(in words: ArraySlice<String>) -> ArraySlice<String>? {
        var rest = words
        while let word = rest.first, isOption(word) {
            if isFollowedByText(word) { return nil }
            rest = rest.dropFirst(takesArgument(word) ? 2 : 1)
        }
        if case .script = self, rest.first == "eval" { return nil }
        return rest.isEmpty ? nil : rest
    }

    private func isOption(_ word: String) -> Bool {
        switch self {
        case .shell: word.hasPrefix("-") || word.hasPrefix("+")
        case .assignments: word.hasPrefix("-") || word.contains("=")
        case .python, .script, .plain: word.hasPrefix("-")
        }
    }

    /// True for `-c` and `-lc` of shells and Python; `-e`, `-p`, `-pe` and their long forms of the other interpreters;
    /// and `-S` of env.
    private func isFollowedByText(_ option: String) -> Bool {
        let name = option.prefix { $0 != "=" }
        guard !option.hasPrefix("--") else {
            return ["--eval", "--print", "--call", "--command", "--split-string"].contains(name)
        }
        let letters =
            switch self {
            case .shell, .python, .plain: "c"
            case .script: "ep"
            case .assignments: option.hasPrefix("-") ? "S" : ""
            }
        return option.dropFirst().contains(where: letters.contains)
    }

    private func takesArgument(_ option: String) -> Bool {
        if case .shell = self { return ["-o", "+o", "-O", "+O", "--rcfile", "--init-file"].contains(option) }
        return false
    }
}
