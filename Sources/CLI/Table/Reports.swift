import ArgumentParsing

extension Subcommand {
    static let sessions = Subcommand(
        .sessions,
        abstract: "List sessions, newest first",
        discussion: [
            """
            Shows the id, agent, title, state, number of updates and time of the last update of each session. In the \
            table, sessions that wait for an answer come first, with the state 'waiting'; see 'acpbridge answer'.
            """
        ],
        syntax: Syntax(
            initial: SessionsOptions(),
            options: [
                .json(sets: \.json),
                .flag("all", sets: \.all, help: "Also list sessions whose agent has exited."),
                .flag("tree", sets: \.tree, help: "Also list the subagents of each session, below it."),
            ] + Option.connection(in: \.connection),
            finish: { (options, _) in .sessions(options) }),
        examples: [
            Example(purpose: "List the sessions that you can attach to", command: "acpbridge sessions"),
            Example(purpose: "List them with their subagents", command: "acpbridge sessions --tree"),
            Example(
                purpose: "Print the ids of all sessions",
                command: "acpbridge sessions --all --json | jq -r .sessionId"),
        ])

    static let agents = Subcommand(
        .agents,
        abstract: "List the agents that 'acpbridge --agent NAME' can run",
        syntax: Syntax(
            initial: ReportOptions(), options: [.json(sets: \.json)] + Option.connection(in: \.connection),
            finish: { (options, _) in .agents(options) }),
        examples: [Example(purpose: "List the names", command: "acpbridge agents")])

    static let status = Subcommand(
        .status,
        abstract: "Show whether the bridge is running, and its state",
        syntax: Syntax(
            initial: ReportOptions(), options: [.json(sets: \.json)] + Option.connection(in: \.connection),
            finish: { (options, _) in .status(options) }),
        examples: [
            Example(purpose: "Show your own bridge", command: "acpbridge status"),
            Example(
                purpose: "Show a bridge on another port",
                command: "acpbridge status --url ws://127.0.0.1:8080 --token-file token"),
        ])
}
