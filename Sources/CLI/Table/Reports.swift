extension Subcommand {
    static let sessions = Subcommand(
        .sessions,
        abstract: "List sessions, newest first",
        discussion: ["For each session: its id, agent, title, state, number of updates, and when the last one came."],
        syntax: Syntax(
            initial: SessionsOptions(),
            options: [
                .json(sets: \.json),
                .flag("all", sets: \.all, help: "List sessions whose agent has ended, too."),
            ] + Option.connection(in: \.connection),
            finish: { (options, _) in .sessions(options) }),
        examples: [
            Example(purpose: "List what there is to attach to", command: "acpbridge sessions"),
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
        abstract: "Show whether the bridge runs, and what it is doing",
        syntax: Syntax(
            initial: ReportOptions(), options: [.json(sets: \.json)] + Option.connection(in: \.connection),
            finish: { (options, _) in .status(options) }),
        examples: [
            Example(purpose: "Look at your own bridge", command: "acpbridge status"),
            Example(
                purpose: "Look at a bridge on another port",
                command: "acpbridge status --url ws://127.0.0.1:8080 --token-file token"),
        ])
}
