extension Subcommand {
    static let prompt = Subcommand(
        .prompt,
        abstract: "Ask a session's agent, and show what it does until it is done",
        discussion: [
            """
            On a terminal the turn is shown for a person, and the agent's requests for permission are asked there, unless \
            somebody else answers first. Elsewhere its session/update lines are printed as the agent wrote them, as \
            'attach' does, and nothing is asked. Ctrl-C cancels the turn.
            """,
            """
            The exit status tells how the turn ended: 0, the agent is done; 4, it refused; 5, it was cut short by a limit \
            (max_tokens, max_turn_requests); 6, it was cancelled; 7, nothing was asked, since another turn runs. \
            If there is no such session, it is 3.
            """,
        ],
        syntax: Syntax(
            initial: PromptOptions(session: ""),
            options: [
                .flag(
                    "queue", sets: \.queue,
                    help: "Where a turn runs, wait until it has ended, in place of being refused."),
                .flag("pretty", sets: \.pretty, help: "Show the turn for a person, as on a terminal."),
            ] + Option.connection(in: \.connection),
            operands: [
                .session(into: \.session),
                .words(
                    "TEXT", into: \.words,
                    help: "What to ask. Without it, or with '-', standard input is read to its end."),
            ],
            finish: { (options, _) in .prompt(options) }),
        examples: [
            Example(purpose: "Ask the newest session's agent", command: "acpbridge prompt latest 'run the tests'"),
            Example(
                purpose: "Ask what a file holds, once the agent is free",
                command: "acpbridge prompt demo-17 --queue < task.md"),
        ])

    static let cancel = Subcommand(
        .cancel,
        abstract: "End a session's turn",
        discussion: ["The agent is told to stop what it is doing; what it asks about is answered as cancelled."],
        syntax: Syntax(
            initial: CancelOptions(session: ""), options: Option.connection(in: \.connection),
            operands: [.session(into: \.session)],
            finish: { (options, _) in .cancel(options) }),
        examples: [Example(purpose: "Stop what the newest session's agent does", command: "acpbridge cancel latest")])

    static let stop = Subcommand(
        .stop,
        abstract: "Stop one agent, or the bridge and all agents that it runs",
        discussion: ["What was stored stays: the next bridge has it."],
        syntax: Syntax(
            initial: StopOptions(), options: Option.connection(in: \.connection),
            operands: [
                .optional(
                    "SESSION", into: \.session, completion: .session,
                    help: "End this session's agent, with all sessions that it runs, and leave the bridge alone.")
            ],
            finish: { (options, _) in .stop(options) }),
        examples: [
            Example(purpose: "Stop your own bridge", command: "acpbridge stop"),
            Example(purpose: "End an agent that was kept", command: "acpbridge stop demo-17"),
        ])
}
