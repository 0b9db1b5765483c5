import ArgumentParsing
import Invocations

extension Subcommand {
    static let setup = Subcommand(
        .setup,
        abstract: "Add an agent under the bridge to an editor's settings",
        discussion: [
            """
            For zed and jetbrains, shows the change of the settings file and asks before it writes. Comments and layout \
            stay, and the previous file is kept beside the new one, with the ending '.before-acpbridge'. If the \
            settings have the agent already, nothing changes.
            """,
            "The settings of neovim, emacs and toad are programs or commands: the text to add is printed.",
        ],
        syntax: Syntax(
            // Never used: EDITOR is required.
            initial: SetupOptions(editor: .zed),
            options: [
                .value(
                    "agent", "NAME", into: \.agent, completion: .agent, default: "$ACPBRIDGE_AGENT",
                    help: "The agent to add; 'acpbridge agents' lists the names."),
                .flag("print", sets: \.print, help: "Print the text to add, and change nothing."),
                .flag("yes", sets: \.yes, help: "Write without asking."),
            ],
            operands: [
                .required(
                    "EDITOR", into: \.editor, hintIfMissing: "Write 'zed', 'jetbrains', 'neovim', 'emacs' or 'toad'.",
                    help: "zed, jetbrains, neovim, emacs or toad.")
            ],
            finish: { (options, topic) throws(UsageError) in
                if options.print, options.yes {
                    throw UsageError(
                        "'--print' and '--yes' cannot be used together.", hint: "'--print' writes nothing.",
                        topic: topic)
                }
                return .setup(options)
            }),
        examples: [
            Example(purpose: "Add Claude Code to Zed", command: "acpbridge setup zed --agent claude"),
            Example(purpose: "See what Neovim needs", command: "acpbridge setup neovim --agent claude"),
        ])
}
