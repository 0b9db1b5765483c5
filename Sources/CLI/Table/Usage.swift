import ArgumentParsing
import Invocations

extension Subcommand {
    static let usage = Subcommand(
        .usage,
        abstract: "Show the tokens and the cost of sessions",
        discussion: [
            """
            Lists the running and ended sessions whose agents have reported their usage, and then the sums of each \
            agent. With --by, only the sums are shown: of each agent, of each day or of each folder.
            """,
            """
            A turn counts on the day on which it ends, in the local time zone, with its cost and its tokens. A session \
            with turns on several days counts on each of them. Of sessions that ended before acpbridge 0.2.0, all \
            counts on the day of their last activity. Imported sessions have no days. With --since, days count from \
            that time on; the other sums have the cost of the whole sessions.
            """,
            """
            An agent reports its cost since its start, so the last report of each run of the agent counts, and the runs \
            of a session are added. An agent that reports a cost before the first prompt of a run has counted the \
            earlier runs itself.
            """,
            """
            CONTEXT is the number of tokens in the session's context, with the size of the context. CONSUMED is the number \
            of tokens of all turns, including those read from and written to a cache, for agents that report them. Costs in different \
            currencies are separate sums. Agents that report no cost have none here. The sums leave out subagents, \
            because an agent can count their tokens and costs in the parent, too.
            """,
            """
            RATE LIMIT is the state of the agent's account, for agents that report it. It is the newest report of all \
            listed sessions. A limit that has been reset since is not shown.
            """,
            """
            With --json, the lines of sessions have a sessionId, those of subagents also a parentId, and those of other \
            bridges a bridge. The sums that follow have neither, but the member agent, day or folder.
            """,
        ],
        syntax: Syntax(
            initial: UsageOptions(),
            options: [
                .value(
                    "since", "DURATION", into: \.since, default: "all sessions",
                    help: "Only sessions that were active within this time, such as 7d."),
                .value(
                    "by", "KIND", into: \.grouping, default: "sessions, and sums by agent",
                    help: "Show only the sums by agent, day or folder."),
                .json(sets: \.json),
            ] + Option.connection(in: \.connection),
            finish: { (options, _) throws(UsageError) in .usage(options) }),
        examples: [
            Example(purpose: "Show the usage of the last week", command: "acpbridge usage --since 7d"),
            Example(purpose: "Show the cost of each day of a month", command: "acpbridge usage --since 30d --by day"),
        ])
}
