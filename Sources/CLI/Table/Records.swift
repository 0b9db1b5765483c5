import ArgumentParsing
import Invocations

extension Subcommand {
    static let rename = Subcommand(
        .rename,
        abstract: "Give a session a title",
        discussion: [
            """
            The title takes the place of the agent's own title in all lists, and it is a name for the session: \
            'acpbridge attach TITLE'.
            """
        ],
        syntax: Syntax(
            initial: RenameOptions(session: ""),
            options: [.flag("reset", sets: \.reset, help: "Return to the agent's own title.")]
                + Option.connection(in: \.connection),
            operands: [
                .session(into: \.session),
                .words("TITLE", into: \.words, help: "The new title, at most 1 KiB."),
            ],
            finish: { (options, topic) throws(UsageError) in .rename(try options.checked(topic: topic)) }),
        examples: [
            Example(purpose: "Name the latest session", command: "acpbridge rename latest login"),
            Example(purpose: "Return to it by its name", command: "acpbridge attach login --take"),
        ])

    static let delete = Subcommand(
        .delete,
        abstract: "Delete sessions that have ended, with all that is stored of them",
        discussion: [
            """
            This cannot be undone; 'acpbridge export' saves a session first. At a terminal, you are asked before \
            anything is deleted. A session whose agent runs is not deleted: 'acpbridge stop SESSION' ends its agent. \
            The agent's own record of its sessions stays.
            """
        ],
        syntax: Syntax(
            initial: DeleteOptions(sessions: []),
            options: [.flag("yes", sets: \.yes, help: "Do not ask.")] + Option.connection(in: \.connection),
            operands: [
                .words(
                    "SESSION", into: \.sessions, completion: .endedSession,
                    help: "The sessions, each named as for 'attach'.")
            ],
            finish: { (options, topic) throws(UsageError) in
                try UsageError.require(sessions: options.sessions, topic)
                return .delete(options)
            }),
        examples: [
            Example(purpose: "Delete two sessions", command: "acpbridge delete login demo-17"),
            Example(purpose: "Delete one in a script", command: "acpbridge delete demo-17 --yes"),
        ])
}

extension RenameOptions {
    fileprivate func checked(topic: CommandTopic) throws(UsageError) -> RenameOptions {
        guard words.isEmpty == reset else {
            throw UsageError(
                reset ? "Write either TITLE or '--reset'." : "Missing argument: TITLE.",
                hint: "'--reset' returns to the agent's own title.", topic: topic)
        }
        guard reset || title != nil else {
            throw UsageError(
                "'\(words.joined(separator: " "))' cannot be a title: expected \(SessionTitle.expectation).",
                hint: "'--reset' returns to the agent's own title.", topic: topic)
        }
        return self
    }
}
