import ArgumentParsing
import Invocations

extension Subcommand {
    static let config = Subcommand(
        .config,
        abstract: "Check or show the settings of the bridge",
        discussion: [
            """
            'check' reports each error in the configuration file and in the environment, and exits with 78 if there \
            is one. 'show' prints each setting with its value and where the value comes from, as a bridge that starts \
            now would use it.
            """,
            """
            The file is 'config.json' in the configuration folder (~/.config/acpbridge). It is a JSON object, in which \
            comments and trailing commas are allowed. Each key is the name of an option of 'acpbridge serve': \
            { "log-level": "info", "limit": { "connections": 100 } }. Paths are relative to the file's folder. One more \
            key, "permission-rules", is an array of rules that answer permission requests of agents.
            """,
            """
            After a change, 'acpbridge serve --replace' or SIGHUP makes the running bridge read the file again, without \
            ending an agent. If the file has an error, the bridge continues with its previous settings.
            """,
        ],
        syntax: Syntax(
            // Never used: ACTION is required.
            initial: ConfigOptions(action: .check),
            options: [.json(sets: \.json)],
            operands: [
                .required(
                    "ACTION", into: \.action, hintIfMissing: "Write 'check' or 'show'.", help: "check or show."),
                .optional("FILE", into: \.file, completion: .file, help: "Use this configuration file."),
            ],
            finish: { (options, _) in .config(options) }),
        examples: [
            Example(purpose: "Check the file before you use it", command: "acpbridge config check"),
            Example(purpose: "Show all settings", command: "acpbridge config show"),
        ])
}
