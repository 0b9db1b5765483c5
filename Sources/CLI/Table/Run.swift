import ArgumentParsing
import Invocations

extension Subcommand {
    static let run = Subcommand(
        .run,
        abstract: "Begin or continue a session with an agent, without an editor",
        discussion: [
            """
            At a terminal, you work with the agent there, as with 'attach --take': you type prompts, and Alt-Enter \
            begins a new line. When you leave with Ctrl-D, the agent continues: 'acpbridge attach latest --take' \
            returns to it, and 'acpbridge stop SESSION' ends it.
            """,
            """
            With --detach, the session's id is printed, and the agent continues in the background. Otherwise, if \
            standard input or output is not a terminal, the turn is printed as with 'prompt', the agent ends after it, \
            and the exit status is that of 'prompt'. The prompt is then read from standard input if no TEXT is written.
            """,
            """
            --resume continues a session that has ended: its agent is started again in the session's folder and loads the \
            session. Some agents cannot do this. The agent gets no MCP servers of an editor. If the session was begun with a \
            command, write it again with --command.
            """,
            """
            With --url, the bridge there starts the agent by its profile, in the agent's own environment. --cwd is then a \
            folder of that machine; write '~/shop' with quotes for its home folder. --bridge does the same with another \
            bridge that your bridge shows, a peer: 'acpbridge status' names it.
            """,
            """
            Otherwise a new session works in the current folder, or in that of --cwd, and the agent gets the environment of this \
            command. The terminal offers the agent neither its files nor terminals; most agents use their own.
            """,
        ],
        syntax: Syntax(
            initial: RunOptions(),
            options: [
                .value(
                    "agent", "NAME", into: \.agent, completion: .agent, default: "$ACPBRIDGE_AGENT",
                    help: "The agent to run; 'acpbridge agents' lists the names."),
                .value(
                    "command", "COMMAND", into: \.command, completion: .file,
                    help: """
                        The command of any other ACP agent: 'gemini --acp'. Quotes keep blanks in a word; no shell runs.
                        """),
                .value(
                    "resume", "SESSION", into: \.resumed, completion: .endedSession,
                    help:
                        "Continue this session, which has ended, instead of a new one. 'latest' is the one that was used last."
                ),
                .value(
                    "bridge", "NAME", into: \.bridge, completion: .bridge,
                    help: "Begin the session at this peer of the bridge, as 'acpbridge status' names it."),
                .value(
                    "cwd", "FOLDER", into: \.folder, completion: .file,
                    default: "the current folder; with --url or --bridge, the home folder there",
                    help: "The folder in which the new session works."),
                .value(
                    "title", "TITLE", into: \.title,
                    help: "Give the session this title, which is also a name for it, as with 'rename'."),
                .flag("detach", sets: \.detach, help: "Print the session's id and exit; the agent continues."),
                .flag("json", sets: \.json, help: "With --detach, print the session as a JSON object."),
                .flag("pretty", sets: \.pretty, help: "Show the turn in a form for people, even without a terminal."),
                .value(
                    "linger", "TIME", into: \.linger,
                    help: """
                        With --detach and a prompt: how long to keep the agent after it has finished its work without \
                        a client. By default, it is kept until it is stopped.
                        """),
                .value(
                    "permission-timeout", "TIME", into: \.permissionLimit,
                    help: """
                        Without a client, answer a permission request with 'cancelled' if it was not answered for \
                        this long. By default, the request waits.
                        """),
            ] + Option.connection(in: \.connection),
            operands: [
                .words("TEXT", into: \.words, help: "The first prompt. '-' means standard input.")
            ],
            finish: { (options, topic) throws(UsageError) in
                if options.json, !options.detach {
                    throw UsageError(
                        "'--json' needs '--detach'.",
                        hint: "Without '--detach', a turn is printed as JSON lines anyway.",
                        topic: topic)
                }
                if options.agent != nil, options.resumed != nil {
                    throw UsageError(
                        "'--agent' and '--resume' cannot be used together.",
                        hint: "A session continues with its own agent.", topic: topic)
                }
                if options.agent != nil, options.command != nil {
                    throw UsageError(
                        "'--agent' and '--command' cannot be used together.",
                        hint: "Both name the agent to run.", topic: topic)
                }
                if options.folder != nil, options.resumed != nil {
                    throw UsageError(
                        "'--cwd' and '--resume' cannot be used together.",
                        hint: "A session continues in its own folder.", topic: topic)
                }
                if options.bridge != nil, options.resumed != nil {
                    throw UsageError(
                        "'--bridge' and '--resume' cannot be used together.",
                        hint: "A session continues at its own bridge.", topic: topic)
                }
                let ownOptions: [(name: String, isGiven: Bool)] = [
                    ("command", options.command != nil), ("linger", options.linger != nil),
                    ("permission-timeout", options.permissionLimit != nil),
                ]
                if options.isElsewhere, let option = ownOptions.first(where: \.isGiven) {
                    let other = options.bridge == nil ? "url" : "bridge"
                    throw UsageError(
                        "'--\(option.name)' and '--\(other)' cannot be used together.",
                        hint: "The bridge there starts the agent by its profile.", topic: topic)
                }
                if options.detach, options.pretty {
                    throw UsageError(
                        "'--detach' and '--pretty' cannot be used together.", hint: "A detached turn is not printed.",
                        topic: topic)
                }
                return .run(options)
            }),
        examples: [
            Example(purpose: "Work with an agent in this terminal", command: "acpbridge run --agent claude"),
            Example(
                purpose: "Let it work in the background, and look later",
                command: "acpbridge run --agent claude --detach 'fix the login test'"),
            Example(
                purpose: "Continue the ended session that was used last", command: "acpbridge run --resume latest"),
            Example(
                purpose: "Begin a session on another machine",
                command: "acpbridge run --url wss://there.example --agent claude --cwd '~/shop'"),
            Example(
                purpose: "Begin one at a peer of your bridge",
                command: "acpbridge run --bridge laptop --agent claude --cwd '~/shop'"),
            Example(
                purpose: "Use it in a script, without anyone to ask",
                command: "acpbridge run --agent claude --pretty --permission-timeout 0 - < task.md"),
        ])
}
