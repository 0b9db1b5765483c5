import ArgumentParsing
import Invocations

extension Subcommand {
    static let sessions = Subcommand(
        .sessions,
        abstract: "List sessions, newest first",
        discussion: [
            """
            Shows the id, agent, title, state, number of updates and time of the last update of each session. In the \
            table, sessions that wait for an answer come first, with the state 'waiting'; see 'acpbridge answer'. \
            'interrupted' are those that ended because their bridge was killed. Ended sessions without a prompt and without a \
            title or tag are only counted, except with '--json' and '--tree'.
            """,
            """
            A row of '--json' has the member 'pending', the number of the session's requests that wait for an answer, if there \
            are any. The title is cut if the terminal is too narrow, and at 100 columns in a pipe; '--json' has all of it. The \
            folder is shown if there is room.
            """,
            """
            With WORDS, only sessions are listed in which all of these occur, also as parts of words: in the title, the tags, \
            the folder, the beginning of the first prompt, or the id. Archived sessions are listed only with '--archived'.
            """,
        ],
        syntax: Syntax(
            initial: SessionsOptions(),
            options: [
                .json(sets: \.json),
                .flag("all", sets: \.all, help: "Also list sessions whose agent has exited."),
                .flag("here", sets: \.here, help: "List only sessions in the current folder and below it."),
                .value("agent", "NAME", into: \.agent, completion: .agent, help: "List only sessions of this agent."),
                .value("tag", "TAG", into: \.tag, help: "List only sessions with this tag."),
                .flag(
                    "archived", sets: \.archived, help: "List the archived sessions, running and ended, and no others."),
                .value("limit", "N", into: \.limit, help: "List only the N sessions that were active last."),
                .flag("tree", sets: \.tree, help: "Also list the subagents of each session, below it."),
            ] + Option.connection(in: \.connection),
            operands: [.words("WORDS", into: \.words, help: "List only sessions in which all of these occur.")],
            finish: { (options, topic) throws(UsageError) in .sessions(try options.checked(topic: topic)) }),
        examples: [
            Example(purpose: "List the sessions that you can attach to", command: "acpbridge sessions"),
            Example(
                purpose: "List those of this folder, with the ended ones", command: "acpbridge sessions --here --all"),
            Example(purpose: "Find a session by its title", command: "acpbridge sessions --all login test"),
            Example(purpose: "List them with their subagents", command: "acpbridge sessions --tree"),
            Example(
                purpose: "Print the ids of those that wait for an answer",
                command: "acpbridge sessions --json | jq -r 'select(.pending).sessionId'"),
            Example(
                purpose: "Print the ids of all sessions that are not archived",
                command: "acpbridge sessions --all --json | jq -r .sessionId"),
        ])

    static let agents = Subcommand(
        .agents,
        abstract: "List the agents that 'acpbridge --agent NAME' can run, or import some",
        discussion: [
            """
            'import' reads a file in the format of the ACP registry: registry.json, with many agents, or the agent.json \
            of one. For each agent that you name, it writes a profile to the folder 'agents' of the configuration folder. \
            The profile runs exactly the version in the file, and takes the place of a built-in agent of the same name. \
            Without a name, the command lists the agents of the file.
            """,
            """
            The file decides which programs run with your rights: take it from a source that you trust. Nothing is \
            downloaded, except by npx and uvx at the agent's first start.
            """,
        ],
        syntax: Syntax(
            initial: AgentsOptions(),
            options: [
                .flag("all", sets: \.all, help: "Import all agents of the file."),
                .value(
                    "as", "NAME", into: \.savedName,
                    help: "The name for '--agent', if you import one agent. The default is its id."),
                .flag("replace", sets: \.replaces, help: "Replace profiles that you already have."),
                .flag(
                    "running", sets: \.running, help: "List the running agents, with their process ids and sessions."),
                .json(sets: \.report.json),
            ] + Option.connection(in: \.report.connection),
            operands: [
                .optional("ACTION", into: \.action, help: "import."),
                .optional("FILE", into: \.file, completion: .file, help: "The registry's file; '-' for stdin."),
                .words("ID", into: \.ids, help: "The agents to import, by their ids in the file."),
            ],
            finish: { (options, topic) throws(UsageError) in
                try options.check(topic: topic)
                return .agents(options)
            }),
        examples: [
            Example(purpose: "List the names", command: "acpbridge agents"),
            Example(purpose: "List what runs now", command: "acpbridge agents --running"),
            Example(
                purpose: "Import an agent of the registry",
                command: "acpbridge agents import registry.json claude-acp --as claude"),
        ])

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

extension SessionsOptions {
    fileprivate func checked(topic: CommandTopic) throws(UsageError) -> SessionsOptions {
        if tree, selects {
            throw UsageError(
                "'--tree' can be used only with '--all' and '--json'.", hint: "A tree has all sessions.", topic: topic)
        }
        if here, connection.url != nil {
            throw UsageError(
                "'--here' and '--url' cannot be used together.", hint: "Write a part of the folder's path as WORDS.",
                topic: topic)
        }
        return self
    }
}

extension AgentsOptions {
    fileprivate func check(topic: CommandTopic) throws(UsageError) {
        guard action != nil else {
            guard !all, savedName == nil, !replaces else {
                throw UsageError(
                    "'--all', '--as' and '--replace' belong to 'import'.",
                    hint: "Write 'acpbridge agents import FILE'.", topic: topic)
            }
            return
        }
        guard !running else {
            throw UsageError(
                "'--running' and 'import' cannot be used together.", hint: "Keep what you mean.", topic: topic)
        }
        guard file != nil else {
            throw UsageError("'import' needs a FILE.", hint: "Name the registry's file.", topic: topic)
        }
        if all, !ids.isEmpty {
            throw UsageError(
                "'--all' and the ids of agents cannot be used together.", hint: "Keep what you mean.", topic: topic)
        }
        guard let savedName else { return }
        guard ids.count == 1 else {
            throw UsageError("'--as' needs one agent.", hint: "Name the agent's id in the file.", topic: topic)
        }
        let isName = savedName.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "-_".utf8.contains(byte)
        }
        guard isName, (1...200).contains(savedName.utf8.count), savedName.first != "-" else {
            throw UsageError(
                "'\(savedName)' cannot be the name of an agent.", hint: "Use letters, digits, '-' and '_'.",
                topic: topic)
        }
    }
}
