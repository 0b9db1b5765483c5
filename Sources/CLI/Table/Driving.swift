import ArgumentParsing
import Invocations

extension Subcommand {
    static let prompt = Subcommand(
        .prompt,
        abstract: "Send a prompt to a session's agent, and show the turn until it ends",
        discussion: [
            """
            On a terminal, the turn is shown in a form for people, and you are asked for the permissions that the \
            agent requests, unless another client answers first. Otherwise, its session/update lines are printed as \
            the agent wrote them, as with 'attach', and you are not asked: a line on stderr says that the agent waits, and \
            'acpbridge answer' answers. Ctrl-C cancels the turn.
            """,
            """
            The exit status reports how the turn ended: 0, the agent finished; 1, the agent or its bridge ended, the agent returned an error, or a \
            part of the output could not be stored; 4, it refused; 5, it reached a limit \
            (max_tokens, max_turn_requests); 6, it was cancelled; 7, the prompt was not sent because another turn is \
            running. The exit status is 3 if the session does not exist.
            """,
        ],
        syntax: Syntax(
            initial: PromptOptions(session: ""),
            options: [
                .flag(
                    "queue", sets: \.queue,
                    help: "If another turn is running, wait until it ends instead of failing."),
                .flag("pretty", sets: \.pretty, help: "Show the turn in a form for people, even without a terminal."),
                .values(
                    "attach", "FILE", into: \.attachments, completion: .file,
                    help: """
                        Send this file after the text: an image or audio file by its name's ending, text as text, and \
                        others as a link to the file. The agent must accept the kind. At most 11 MiB in all. Can be \
                        repeated.
                        """),
            ] + Option.connection(in: \.connection),
            operands: [
                .session(into: \.session, completion: .runningSession),
                .words(
                    "TEXT", into: \.words,
                    help: "The prompt. Without it, or with '-', it is read from standard input."),
            ],
            finish: { (options, _) in .prompt(options) }),
        examples: [
            Example(
                purpose: "Send a prompt to the latest session's agent",
                command: "acpbridge prompt latest 'run the tests'"),
            Example(
                purpose: "Send the contents of a file, once the agent is idle",
                command: "acpbridge prompt demo-17 --queue < task.md"),
            Example(
                purpose: "Send an image with the prompt",
                command: "acpbridge prompt latest 'what is wrong here?' --attach screen.png"),
        ])

    static let cancel = Subcommand(
        .cancel,
        abstract: "Cancel a session's turn, or its waiting prompts",
        discussion: [
            """
            Asks the agent to stop its work, and answers its pending permission requests as cancelled. If prompts of \
            'prompt --queue' or of other clients are waiting, the agent then gets the first of them.
            """
        ],
        syntax: Syntax(
            initial: CancelOptions(session: ""),
            options: [
                .flag(
                    "queued", sets: \.queued,
                    help: "Discard the prompts that wait for the end of the turn; the turn continues.")
            ] + Option.connection(in: \.connection),
            operands: [.session(into: \.session, completion: .runningSession)],
            finish: { (options, _) in .cancel(options) }),
        examples: [
            Example(purpose: "Cancel the turn of the latest session", command: "acpbridge cancel latest"),
            Example(purpose: "Let it finish the turn, but nothing else", command: "acpbridge cancel latest --queued"),
        ])

    static let stop = Subcommand(
        .stop,
        abstract: "Stop one session, one agent, or the bridge and all its agents",
        discussion: [
            """
            Stored sessions are kept; the next bridge has them. Without SESSION, all agents end: at a terminal, you are \
            asked first if any agent runs.
            """
        ],
        syntax: Syntax(
            initial: StopOptions(),
            options: [
                .flag(
                    "only", sets: \.only,
                    help: """
                        End only SESSION; its agent continues with its other sessions. Not all agents can do this. An agent \
                        without an editor ends with its last session.
                        """),
                .flag("yes", sets: \.yes, help: "Do not ask."),
            ] + Option.connection(in: \.connection),
            operands: [
                .optional(
                    "SESSION", into: \.session, completion: .runningSession,
                    help: """
                        Stop only this session's agent, with all sessions that it runs. 'pid:N' is the agent with the process id \
                        N, also if it has no session; see 'acpbridge agents --running'.
                        """)
            ],
            finish: { (options, topic) throws(UsageError) in
                if options.only, options.session == nil || options.agentPid != nil {
                    throw UsageError("'--only' needs a SESSION.", hint: "Name the session to end.", topic: topic)
                }
                return .stop(options)
            }),
        examples: [
            Example(purpose: "Stop your own bridge", command: "acpbridge stop"),
            Example(purpose: "Stop it without a question", command: "acpbridge stop --yes"),
            Example(purpose: "Stop an agent that was kept", command: "acpbridge stop demo-17"),
            Example(purpose: "End one session of an agent that has several", command: "acpbridge stop demo-17 --only"),
            Example(purpose: "Stop an agent without a session", command: "acpbridge stop pid:4711"),
        ])
}
