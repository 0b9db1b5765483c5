import ArgumentParsing
import Invocations

extension Subcommand {
    static let share = Subcommand(
        .share,
        abstract: "Make a link to one session",
        discussion: [
            """
            Prints a link to the bridge's page that shows this session and nothing else of the bridge. The link can \
            be opened once, within a day; the browser then keeps its access until the time of --ttl is over. Make one \
            link for each person. With --control, a person can also send and cancel prompts and answer the agent's \
            requests, so the agent acts for them with your rights.
            """,
            """
            --list shows the links, and --revoke ends one of them and closes its connections. Deleting the session \
            revokes its links. Links that were not opened when the bridge stops cannot be opened any more.
            """,
            "The exit status is 3 if the session does not exist, and 64 for wrong usage.",
        ],
        syntax: Syntax(
            initial: ShareOptions(),
            options: [
                .value("ttl", "DURATION", into: \.life, default: "3d", help: "The lifetime of the access, up to 366d."),
                .flag("control", sets: \.control, help: "Also allow prompts, cancelling and answers."),
                .value("name", "NAME", into: \.name, help: "A name for the link, shown in the list."),
                .value(
                    "address", "URL", into: \.address,
                    default: "the address of 'serve --public-url', or one at which the bridge listens",
                    help: "The page's address for the other person, for example the one of a proxy."),
                .flag("list", sets: \.list, help: "List the links."),
                .value("revoke", "ID", into: \.revoke, help: "Revoke the link with this id, such as tk_3f9a01c2."),
                .json(sets: \.json),
            ] + Option.connection(in: \.connection),
            operands: [
                .optional("SESSION", into: \.session, completion: .session, help: "The session, as for 'attach'.")
            ],
            finish: { (options, topic) throws(UsageError) in .share(try options.checked(topic: topic)) }),
        examples: [
            Example(
                purpose: "Let a colleague watch", command: "acpbridge share latest --address https://bridge.example"),
            Example(purpose: "End the access", command: "acpbridge share --revoke tk_3f9a01c2"),
        ])
}

extension ShareOptions {
    /// As `sessions:share` allows.
    private static let longestLife = Duration.seconds(366 * 86_400)

    fileprivate func checked(topic: CommandTopic) throws(UsageError) -> ShareOptions {
        if let life, !(.seconds(1)...Self.longestLife).contains(life) {
            throw UsageError(
                "Invalid value for '--ttl': a link lasts from one second to 366 days.", hint: nil, topic: topic)
        }
        if list, revoke != nil {
            throw UsageError(
                "'--list' and '--revoke' cannot be used together.", hint: "Keep one of them.", topic: topic)
        }
        let isMaking = !list && revoke == nil
        if isMaking, session == nil {
            throw UsageError("Missing argument: SESSION.", hint: "'acpbridge sessions' lists the ids.", topic: topic)
        }
        if !isMaking, session != nil || control || life != nil || name != nil || address != nil {
            throw UsageError(
                "'--list' and '--revoke' take neither SESSION nor '--control', '--ttl', '--name' or '--address'.",
                hint: "Omit them.", topic: topic)
        }
        return self
    }
}
