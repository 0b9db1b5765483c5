import ArgumentParsing
import Invocations

extension Subcommand {
    static let search = Subcommand(
        .search,
        abstract: "Find words in the text of all sessions",
        discussion: [
            """
            Searches prompts, the agents' messages, thoughts and plans, and the titles and paths of tool calls, but \
            not the output of tools. Running and ended sessions are searched, the newest text first.
            """,
            """
            Each word must occur in one message; case and accents are ignored. Words between double quotes must \
            follow each other, and so must parts of a word such as src/main.c. A * ends the beginning of a word: \
            log*. Each character of Chinese, Japanese and Korean counts as a word.
            """,
            """
            If there can be more rows than '--limit', a line on stderr says so. Each row has the number of the update in which \
            the first match begins. The exit status is 0 also if nothing is found, and 3 if the session does not exist. With --status, shows the state of the index.
            """,
        ],
        syntax: Syntax(
            initial: SearchOptions(),
            options: [
                .value("session", "SESSION", into: \.session, completion: .session, help: "Search only this session."),
                .value("agent", "NAME", into: \.agent, completion: .agent, help: "Search only sessions of this agent."),
                .value(
                    "since", "DURATION", into: \.since, default: "all times",
                    help: "Search only texts that were begun within this time, such as 2d."),
                .value(
                    "limit", "N", into: \.limit, default: "20", help: "Print at most this many rows, 1 to 10000."),
                .flag("status", sets: \.status, help: "Show how much of the log is indexed, and search nothing."),
                .json(sets: \.json),
            ] + Option.connection(in: \.connection),
            operands: [
                .words("TEXT", into: \.words, help: "The words to find.")
            ],
            finish: { (options, topic) throws(UsageError) in .search(try options.checked(topic: topic)) }),
        examples: [
            Example(purpose: "Find two words in one message", command: "acpbridge search login test"),
            Example(purpose: "Find a phrase in one session", command: "acpbridge search --session latest '\"log in\"'"),
            Example(purpose: "Find a word in the last two days", command: "acpbridge search --since 2d deploy"),
            Example(purpose: "Show the progress of the index", command: "acpbridge search --status"),
        ])
}

extension SearchOptions {
    fileprivate func checked(topic: CommandTopic) throws(UsageError) -> SearchOptions {
        if status, !words.isEmpty || session != nil || agent != nil || since != nil || limit != nil {
            throw UsageError(
                "'--status' cannot be used with words, '--session', '--agent', '--since' or '--limit'.",
                hint: "Omit either.", topic: topic)
        }
        if !status, words.isEmpty {
            throw UsageError("Missing argument: TEXT.", hint: "Write the words to find.", topic: topic)
        }
        return self
    }
}
