import ArgumentParsing
import Invocations

extension Subcommand {
    static let help = Subcommand(
        .help,
        abstract: "Show help for acpbridge or for one subcommand",
        syntax: Syntax(
            initial: SubcommandName?.none,
            operands: [.optional("SUBCOMMAND", into: \.self, help: "The subcommand to explain.")],
            finish: { (name, _) in .help(about: name) }),
        examples: [Example(purpose: "Read about 'attach'", command: "acpbridge help attach")])

    static let man = Subcommand(
        .man,
        abstract: "Print the manual page",
        syntax: Syntax(initial: (), finish: { (_, _) in .man }),
        examples: [
            Example(purpose: "Read it", command: "acpbridge man | man -l -"),
            Example(
                purpose: "Install it, so that 'man acpbridge' finds it",
                command: "acpbridge man > ~/.local/share/man/man1/acpbridge.1"),
        ])

    static let completions = Subcommand(
        .completions,
        abstract: "Print the completion script for a shell",
        discussion: [
            "With the script, the Tab key completes subcommands, options, agent names, and the ids and titles of sessions."
        ],
        syntax: Syntax(
            // Never used: SHELL is required.
            initial: Shell.bash,
            operands: [
                .required(
                    "SHELL", into: \.self, hintIfMissing: "Write 'bash', 'zsh' or 'fish'.", help: "bash, zsh or fish.")
            ],
            finish: { (shell, _) in .completions(shell) }),
        examples: [
            Example(
                purpose: "In ~/.bashrc or, after compinit, in ~/.zshrc (with zsh instead of bash)",
                command: "source <(acpbridge completions bash)"),
            Example(
                purpose: "For fish, once",
                command: "acpbridge completions fish > ~/.config/fish/completions/acpbridge.fish"),
        ])
}
