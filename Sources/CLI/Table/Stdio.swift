extension Subcommand {
    static let stdio = Subcommand(
        .stdio,
        abstract: "Run an agent behind the bridge, for an editor",
        discussion: [
            """
            In your editor's settings, put 'acpbridge' where the agent's command stands, and give it the arguments \
            '--agent' and NAME, or '--' and the agent's own command. A bridge is started if none is running.
            """,
            """
            Standard output carries ACP and nothing else; what is meant for a person goes to standard error. \
            When the agent ends, acpbridge ends with the agent's exit status. If the command is not found, it is 127.
            """,
            """
            An agent that is at work when its editor goes, or that others work with, goes on; an idle one ends. \
            'acpbridge attach' shows what it does meanwhile, and an editor that loads the session takes it over.
            """,
            """
            Everything after '--' goes to the agent as it is, and so does everything from the first argument that is \
            no option. With --agent, an option that is unknown here goes to the agent as well: \
            an editor may append arguments, as some do to let you log in.
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
                    help: "How long to keep an agent that was at work when its editor went, once it is done."),
                .flag("keep", sets: \.keeps, help: "Keep the agent when its editor goes, until you end it."),
                .value(
                    "permission-timeout", "TIME", into: \.permissionLimit,
                    help: """
                        Without an editor, answer 'cancelled' to what the agent asks to be allowed when nobody has \
                        answered for so long. Otherwise it waits.
                        """),
            ],
            operands: [
                .command(
                    "COMMAND", synopsis: "[--] [COMMAND [ARG...]]", into: \.command,
                    help: "The agent's command and its arguments. With --agent, more arguments for that agent.")
            ],
            passesOnUnknownOptions: { $0.agent != nil },
            finish: { (options, topic) throws(UsageError) in
                try options.checkThatSomethingRuns(topic: topic)
                return .stdio(options)
            }),
        examples: [
            Example(purpose: "Run the agent named claude", command: "acpbridge --agent claude"),
            Example(purpose: "Run any other ACP agent by its command", command: "acpbridge -- gemini --acp"),
        ])
}

extension StdioOptions {
    fileprivate func checkThatSomethingRuns(topic: SubcommandName?) throws(UsageError) {
        if keeps, linger != nil {
            throw UsageError("--keep and --linger exclude each other.", hint: "Leave one of them out.", topic: topic)
        }
        if agent != nil { return }
        guard let program = command.first else {
            throw UsageError(
                "No agent to run.",
                hint: """
                    In your editor's settings, put 'acpbridge' where the agent's command stands, with the arguments \
                    '--agent' and NAME, or '--' and the agent's own command.
                    'acpbridge agents' lists the names.
                    """, topic: topic)
        }
        if program.isEmpty {
            throw UsageError(
                "The agent's command is empty.", hint: "After '--', write a program and its arguments.", topic: topic)
        }
    }
}
