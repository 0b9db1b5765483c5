import ArgumentParsing
import Invocations

extension Subcommand {
    static let stdio = Subcommand(
        .stdio,
        abstract: "Run an agent under the bridge, for an editor",
        discussion: [
            """
            In your editor's settings, use 'acpbridge' as the agent's command, with the arguments '--agent' and NAME, \
            or '--' and the agent's own command. A bridge is started if none is running.
            """,
            """
            Standard output carries only ACP; messages for people go to standard error. When the agent exits, \
            acpbridge exits with the same status. If the command is not found, the status is 127.
            """,
            """
            If the editor disconnects while the agent is working, or while other clients use it, the agent continues; \
            an idle agent ends. 'acpbridge attach' shows what the agent does, and an editor that loads the session \
            takes over.
            """,
            """
            Everything after '--' is passed to the agent unchanged, and so is everything from the first argument that \
            is not an option. With --agent, an unknown option is passed to the agent, too, because some editors append \
            arguments to let you log in.
            """,
        ],
        syntax: Syntax(
            initial: StdioOptions(),
            options: [
                .value(
                    "agent", "NAME", into: \.agent, completion: .agent,
                    help: "The agent to run; 'acpbridge agents' lists the names."),
                .value(
                    "linger", "TIME", into: \.linger, default: "10m",
                    help: "How long to keep an agent after it has finished its work without an editor."),
                .flag("keep", sets: \.keeps, help: "Keep the agent after its editor disconnects, until you stop it."),
                .value(
                    "permission-timeout", "TIME", into: \.permissionLimit,
                    help: """
                        Without an editor, answer a permission request with 'cancelled' if it was not answered for \
                        this long. By default, the request waits.
                        """),
                .value(
                    "wire-log", "FILE", into: \.wireLog, completion: .file,
                    help: """
                        Record all messages to and from the agent in this file, with their times, to find faults. \
                        Prompts and file contents are in it. At 64 MiB it becomes FILE.1.
                        """),
                .flag("wire-log-tokens", sets: \.wireLogKeepsTokens, help: "Keep tokens of known forms in that file."),
            ],
            operands: [
                .command(
                    "COMMAND", synopsis: "[--] [COMMAND [ARG...]]", into: \.command,
                    help: "The agent's command and its arguments. With --agent, additional arguments for that agent.")
            ],
            forwardsUnknownOptions: { $0.agent != nil },
            finish: { (options, topic) throws(UsageError) in
                try options.checkCommand(topic: topic)
                return .stdio(options)
            }),
        examples: [
            Example(purpose: "Run the agent 'claude'", command: "acpbridge --agent claude"),
            Example(purpose: "Run any other ACP agent by its command", command: "acpbridge -- gemini --acp"),
        ])
}

extension StdioOptions {
    fileprivate func checkCommand(topic: CommandTopic) throws(UsageError) {
        if keeps, linger != nil {
            throw UsageError(
                "'--keep' and '--linger' cannot be used together.", hint: "Keep the one that you mean.", topic: topic)
        }
        if wireLogKeepsTokens, wireLog == nil {
            throw UsageError(
                "'--wire-log-tokens' needs '--wire-log'.", hint: "Add '--wire-log FILE'.", topic: topic)
        }
        if agent != nil { return }
        guard let program = command.first else {
            throw UsageError(
                "No agent to run.",
                hint: """
                    In your editor's settings, use 'acpbridge' as the agent's command, with the
                    arguments '--agent' and NAME, or '--' and the agent's own command.
                    'acpbridge agents' lists the names.
                    To work with an agent in this terminal: acpbridge run --agent NAME
                    """, topic: topic)
        }
        if program.isEmpty {
            throw UsageError(
                "The agent's command is empty.", hint: "After '--', write a program and its arguments.", topic: topic)
        }
    }
}
