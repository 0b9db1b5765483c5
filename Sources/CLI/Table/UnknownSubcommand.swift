import ArgumentParsing
import Invocations

extension UsageError {
    /// Words that other programs use for a subcommand.
    private static let synonyms = [
        "ls": "sessions", "list": "sessions", "ps": "sessions", "info": "status", "kill": "stop", "quit": "stop",
        "start": "serve", "daemon": "serve", "new": "run", "exec": "run", "tail": "attach", "watch": "attach",
        "follow": "attach", "resume": "run --resume", "continue": "run --resume", "rm": "delete", "remove": "delete",
        "kill-session": "stop", "kill-server": "stop", "mv": "rename", "mode": "set", "model": "set",
        "version": "--version", "allow": "answer", "approve": "answer", "reply": "answer",
    ]

    static func unknownSubcommand(_ word: String) -> UsageError {
        let example = word.isPlainWord ? word : "COMMAND"
        let asAgent =
            "To run an agent by its name, write 'acpbridge --agent \(word.isPlainWord ? word : "NAME")'; "
            + "to run a program as the agent, 'acpbridge -- \(example)'."
        let meant = synonyms[word].map { "Did you mean '\($0)'?" } ?? didYouMean(word, oneOf: SubcommandName.choices)
        let hints = [meant, asAgent]
        return UsageError(
            "Unknown subcommand \(quoted(word)).", hint: hints.compactMap(\.self).joined(separator: " "),
            topic: .acpbridge(nil))
    }
}
