import ArgumentParsing
import Invocations

extension Subcommand {
    static let attach = Subcommand(
        .attach,
        abstract: "Print the updates of a session",
        discussion: [
            """
            Prints each session/update line as the agent wrote it, one JSON object per line. The stored \
            updates are printed first, followed by new ones until the session ends. No update is printed \
            twice, and none is dropped unless --policy allows it, even if the connection is lost and restored. The \
            stored updates of several sessions are merged by their times.
            """,
            """
            On a terminal, the conversation is shown as with --pretty; --format lines prints the lines there, too. If no \
            SESSION is written and several sessions run, a list of them lets you choose. The list also opens if SESSION \
            is unknown or means several, and a running session's row has this text.
            """,
            """
            If the bridge is replaced or started again within 2 seconds, the output continues. If it stays away, the command \
            ends with status 1. The exit status is 3 if the session does not exist.
            """,
        ],
        syntax: Syntax(
            initial: AttachOptions(),
            options: [
                .value(
                    "from", "start|now|N", into: \.from, default: "start",
                    help: "Begin with the first update, with the next new one, or with update number N."),
                .value(
                    "tail", "N", into: \.tail,
                    help: "Begin with the last N stored updates, instead of --from."),
                .value(
                    "since", "DURATION", into: \.since,
                    help: "Begin with the updates of this time up to now, such as 10m, instead of --from."),
                .flag(
                    "no-follow", clears: \.follow,
                    help: "Exit after the last stored update instead of waiting for more."),
                .value(
                    "format", "FORMAT", into: \.format, default: "lines",
                    help: """
                        lines: the agent's lines. envelope: as with --envelope. pretty: as with --pretty. flat: one \
                        JSON object without nested values for each update and each other entry, at most 4096 bytes \
                        long, for log tools; longer texts are cut.
                        """),
                .flag(
                    "envelope", sets: \.envelope,
                    help: "Wrap each update in an object with its number (seq) and time (ts)."),
                .flag(
                    "all", sets: \.all,
                    help: """
                        Also print prompts, turn ends, permissions, agent start and exit. \
                        Without --pretty, this turns --envelope on. --format flat prints them anyway, unless --kinds \
                        is given.
                        """),
                .flag(
                    "running", sets: \.running,
                    help: """
                        Print the lines of all running sessions, and of those that begin later, until Ctrl-C, or with \
                        --no-follow only the stored ones. As with several SESSIONs, each line of a conversation begins \
                        with the session's name. In a pipe, each line is an envelope with the members session, agent, \
                        journal and, for a session of another bridge, bridge, unless --format or --pretty is given.
                        """),
                .commaSeparated(
                    "kinds", "KIND,...", into: \.kinds, choices: knownUpdateKinds,
                    help: "Print only updates of these kinds (sessionUpdate), such as agent_message_chunk,tool_call."),
                .value(
                    "policy", "POLICY", into: \.policy, default: "lossless",
                    help: """
                        The updates to drop when the output is read too slowly. lossless: none. latest: all but the \
                        first and the newest of consecutive chunks, for example of one message. thoughts: likewise, \
                        but only chunks of thoughts. merge: none, but consecutive chunks of text are merged into one. \
                        Drops are reported on stderr.
                        """),
                .flag(
                    "pretty", sets: \.pretty,
                    help: """
                        Show the conversation in a form for people, in colour on a terminal. If you have control of \
                        the session, the terminal also asks you for the permissions that the agent requests.
                        """),
                .flag(
                    "take", sets: \.take,
                    help: """
                        Continue the session in this terminal: shown as with --pretty, and you type prompts; Alt-Enter \
                        adds a line. If the session's editor has disconnected, you replace it; otherwise you work \
                        alongside it. Ctrl-C drops the text or cancels the turn; Ctrl-L clears the screen; Tab \
                        completes the agent's /commands; Ctrl-D or a second Ctrl-C exits. After Ctrl-X, the keys s, n, \
                        p, l and w list the running sessions and go to the next, previous or last one, or to one that \
                        waits for an answer; d exits.
                        """),
            ] + Option.connection(in: \.connection),
            operands: [
                .words(
                    "SESSION", into: \.sessions, completion: .session,
                    help: """
                        The agent's session id, or a unique prefix of it; 'latest'; the title; or AGENT:ID if two agents \
                        use the same id. Several print the lines of all. (default: latest; at a terminal, a list to \
                        choose from if several run)
                        """)
            ],
            finish: { (options, topic) throws(UsageError) in .attach(try options.resolved(topic: topic)) }),
        examples: [
            Example(purpose: "Watch the latest session", command: "acpbridge attach latest --pretty"),
            Example(purpose: "Continue it in this terminal", command: "acpbridge attach latest --take"),
            Example(
                purpose: "Look at the end of a long session", command: "acpbridge attach latest --pretty --tail 200"),
            Example(purpose: "Read what all sessions did this hour", command: "acpbridge attach --running --since 1h"),
            Example(
                purpose: "Save a whole session with numbers and times, then exit",
                command: "acpbridge attach sess_4f2a --envelope --no-follow > session.ndjson"),
            Example(
                purpose: "Print the kind of each new entry, in any running session",
                command: "acpbridge attach --running --all --from now | jq -c '[.session, .kind]'"),
            Example(
                purpose: "Send the latest session to the system's journal",
                command: "acpbridge attach latest --format flat | systemd-cat --identifier=acpbridge"),
        ])

    /// The kinds in ACP version 1 and 2 (`SessionUpdate`). Other kinds are accepted too, because agents can be newer
    /// than the schema.
    fileprivate static let knownUpdateKinds = [
        "agent_message", "agent_message_chunk", "agent_thought", "agent_thought_chunk", "available_commands_update",
        "compaction_summary_chunk", "compaction_update", "config_option_update", "current_mode_update", "notice",
        "plan", "plan_removed", "plan_update", "replay_complete", "session_info_update", "session_message",
        "session_message_chunk", "state_update", "subagent_update", "terminal_output_chunk", "terminal_update",
        "tool_call", "tool_call_content_chunk", "tool_call_update", "usage_update", "user_message",
        "user_message_chunk",
    ]
}

extension AttachOptions {
    /// A sentence for each kind that ACP does not define. Such a kind may be a typing error, or belong to a newer agent.
    package var kindWarnings: [String] {
        kinds.filter { !Subcommand.knownUpdateKinds.contains($0) }.map { kind in
            let hint = UsageError.didYouMean(kind, oneOf: Subcommand.knownUpdateKinds)
            return ["ACP has no updates of kind \(quoted(kind)).", hint].compactMap(\.self).joined(separator: " ")
        }
    }
}

extension AttachOptions {
    fileprivate func resolved(topic: CommandTopic) throws(UsageError) -> AttachOptions {
        if pretty, envelope {
            throw UsageError(
                "'--pretty' and '--envelope' cannot be used together.",
                hint: "'--pretty' is for people, '--envelope' is for programs.", topic: topic)
        }
        if take, envelope || !follow || !kinds.isEmpty {
            throw UsageError(
                "'--take' cannot be used together with '--envelope', '--no-follow' or '--kinds'.",
                hint: "'--take' is interactive and must show the whole conversation.", topic: topic)
        }
        try checkSessions(topic: topic)
        try checkStart(topic: topic)
        try checkFormat(topic: topic)
        var options = self
        if let tail { options.from = .last(tail.value) }
        options.tail = nil
        options.pretty = pretty || take || format == .pretty
        // An entry that is not an update has no line of its own. Outside of a conversation it needs the envelope.
        options.envelope =
            envelope || format == .envelope || (all && !options.pretty && format != .flat)
        return options
    }

    private func checkStart(topic: CommandTopic) throws(UsageError) {
        let starts = [(from != .start, "--from"), (tail != nil, "--tail"), (since != nil, "--since")]
        let given = starts.filter(\.0).map(\.1)
        guard given.count > 1 else { return }
        throw UsageError(
            "'\(given[1])' and '\(given[0])' cannot be used together.", hint: "Both say where to begin.", topic: topic)
    }

    private func checkSessions(topic: CommandTopic) throws(UsageError) {
        if sessions.contains("") {
            throw UsageError(
                "A SESSION is empty.", hint: "'acpbridge sessions --all' lists the sessions.", topic: topic)
        }
        if running, !sessions.isEmpty {
            throw UsageError(
                "'--running' and SESSION cannot be used together.", hint: "'--running' means all running sessions.",
                topic: topic)
        }
        guard hasSeveral else { return }
        if take {
            throw UsageError(
                "'--take' continues one session.",
                hint: "Name one session, or use '--pretty' to read several.", topic: topic)
        }
        if case .number = from {
            throw UsageError(
                "'--from N' is the number of an update of one session.",
                hint: "Use '--since', '--tail N' or '--from now' with several sessions, or name one session.",
                topic: topic)
        }
    }

    private func checkFormat(topic: CommandTopic) throws(UsageError) {
        guard let format else { return }
        for (flag, isGiven) in [("--pretty", pretty), ("--envelope", envelope), ("--take", take)] where isGiven {
            throw UsageError(
                "'--format' and '\(flag)' cannot be used together.", hint: "Keep the one that you mean.", topic: topic)
        }
        if format == .lines, all {
            throw UsageError(
                "'--all' cannot be used together with '--format lines'.",
                hint: "Only updates are lines of the agent; 'envelope', 'flat' and 'pretty' have the other entries.",
                topic: topic)
        }
    }
}
