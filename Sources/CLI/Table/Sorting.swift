import ArgumentParsing
import Invocations

/// The commands that sort sessions in lists.
extension Subcommand {
    static let tag = Subcommand(
        .tag,
        abstract: "Add tags to a session, or remove or list them",
        discussion: [
            """
            'acpbridge sessions --tag TAG' lists the sessions with a tag, and words in 'acpbridge sessions' also find tags. \
            The page shows them. Without TAG and '--remove', the session's tags are printed, one per line.
            """
        ],
        syntax: Syntax(
            initial: TagOptions(session: ""),
            options: [
                .values("remove", "TAG", into: \.removed, help: "Remove this tag. Can be repeated.")
            ] + Option.connection(in: \.connection),
            operands: [
                .session(into: \.session),
                .words("TAG", into: \.added, help: "The tags to add, each 1 to 64 bytes. A session has at most 32."),
            ],
            finish: { (options, topic) throws(UsageError) in .tag(try options.checked(topic: topic)) }),
        examples: [
            Example(purpose: "Add two tags", command: "acpbridge tag latest shop urgent"),
            Example(purpose: "Replace one", command: "acpbridge tag latest done --remove urgent"),
            Example(purpose: "List the sessions with a tag", command: "acpbridge sessions --all --tag shop"),
        ])

    static let archive = Subcommand(
        .archive,
        abstract: "Leave sessions out of lists, without deleting them",
        discussion: [
            """
            'acpbridge sessions' lists archived sessions only with '--archived'. All that is stored of them stays, and \
            'acpbridge search' finds it. A session that an agent takes up again is no longer archived.
            """
        ],
        syntax: Syntax(
            initial: ArchiveOptions(sessions: []),
            options: [.flag("undo", sets: \.undo, help: "List the sessions again.")]
                + Option.connection(in: \.connection),
            operands: [
                .words(
                    "SESSION", into: \.sessions, completion: .session,
                    help: "The sessions, each named as for 'attach'.")
            ],
            finish: { (options, topic) throws(UsageError) in
                try UsageError.require(sessions: options.sessions, topic)
                return .archive(options)
            }),
        examples: [
            Example(purpose: "Archive two sessions", command: "acpbridge archive login demo-17"),
            Example(purpose: "Return to one of them", command: "acpbridge archive login --undo"),
        ])
}

extension TagOptions {
    fileprivate func checked(topic: CommandTopic) throws(UsageError) -> TagOptions {
        for tag in added + removed where !(1...64).contains(tag.utf8.count) {
            throw UsageError("'\(tag)' cannot be a tag.", hint: "A tag has 1 to 64 bytes.", topic: topic)
        }
        if let both = added.first(where: removed.contains) {
            throw UsageError("'\(both)' cannot be both added and removed.", hint: "Keep what you mean.", topic: topic)
        }
        return self
    }
}
