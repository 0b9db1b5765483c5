extension Subcommand {
    static let attach = Subcommand(
        .attach,
        abstract: "Print the updates of a session",
        discussion: [
            """
            Prints each session/update as the agent wrote it, one JSON line each: those that are stored, from the \
            first one on, then new ones as they come, until the session ends. No update is printed twice, and none is \
            left out unless --policy asks for it, even when the connection is lost and made again.
            """,
            "If there is no such session, the exit status is 3.",
        ],
        syntax: Syntax(
            initial: AttachOptions(session: ""),
            options: [
                .value(
                    "from", "start|now|N", into: \.from, default: "start",
                    help: "Begin with the first update, with the next one to come, or with update number N."),
                .flag(
                    "no-follow", clears: \.follow,
                    help: "End after the last stored update, in place of waiting for more."),
                .flag(
                    "envelope", sets: \.envelope,
                    help: "Put each update into an object with its number (seq) and time (ts)."),
                .flag(
                    "all", sets: \.all,
                    help: """
                        Print prompts, turn ends, permissions, agent start and exit, too. \
                        Without --pretty, this turns --envelope on.
                        """),
                .commaSeparated(
                    "kinds", "KIND,...", into: \.kinds, choices: knownUpdateKinds,
                    help: "Print only updates of these kinds (sessionUpdate), such as agent_message_chunk,tool_call."),
                .value(
                    "policy", "POLICY", into: \.policy, default: "lossless",
                    help: """
                        What to go without when the output is read too slowly: nothing (lossless); all but the first and \
                        the newest of consecutive chunks of a message or thought (latest), or of thoughts only \
                        (thoughts); or nothing, but get such chunks as one (merge). What was left out is said.
                        """),
                .flag(
                    "pretty", sets: \.pretty,
                    help: """
                        Show the conversation for a person, in colour on a terminal. Whoever may control the session is \
                        asked there what the agent asks to be allowed.
                        """),
                .flag(
                    "take", sets: \.take,
                    help: """
                        Go on with the session in this terminal: shown as with --pretty, and each line typed is a \
                        prompt. Where its editor has gone, the agent is yours; otherwise you work beside it. Ctrl-C \
                        cancels the turn; when the agent is idle, Ctrl-C or Ctrl-D leaves.
                        """),
            ] + Option.connection(in: \.connection),
            operands: [.session(into: \.session)],
            finish: { (options, topic) throws(UsageError) in .attach(try options.resolved(topic: topic)) }),
        examples: [
            Example(purpose: "Watch the newest session", command: "acpbridge attach latest --pretty"),
            Example(purpose: "Go on with it in this terminal", command: "acpbridge attach latest --take"),
            Example(
                purpose: "Save all of a session, numbered and timed, and end",
                command: "acpbridge attach sess_4f2a --envelope --no-follow > session.ndjson"),
        ])

    /// Those of ACP v1 (`SessionUpdate`). Others are taken as well: agents are ahead of the schema.
    private static let knownUpdateKinds = [
        "agent_message_chunk", "agent_thought_chunk", "available_commands_update", "config_option_update",
        "current_mode_update", "plan", "session_info_update", "tool_call", "tool_call_update", "usage_update",
        "user_message_chunk",
    ]
}

extension AttachOptions {
    fileprivate func resolved(topic: SubcommandName?) throws(UsageError) -> AttachOptions {
        if pretty, envelope {
            throw UsageError(
                "'--pretty' and '--envelope' cannot be used together.",
                hint: "'--pretty' is for a person, '--envelope' for a program.", topic: topic)
        }
        if take, envelope || !follow || !kinds.isEmpty {
            throw UsageError(
                "'--take' cannot be used together with '--envelope', '--no-follow' or '--kinds'.",
                hint: "It is for a person, who needs to see it all.", topic: topic)
        }
        var options = self
        options.pretty = pretty || take
        // What is no update has no line of the agent's to print: outside a conversation it needs the envelope.
        options.envelope = envelope || (all && !options.pretty)
        return options
    }
}
