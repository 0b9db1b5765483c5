import ArgumentParsing

extension Subcommand {
    static let hub = Subcommand(
        .hub,
        abstract: "Prepare or show the PostgreSQL database that several bridges share",
        discussion: [
            """
            A bridge with 'serve --hub' ships its session log to a PostgreSQL database, the hub. Its history then \
            outlives the machine. Agents, editors and local clients do not wait for the hub. With '--hub-role serve' or \
            'both', a bridge shows the sessions of the hub's other bridges.
            """,
            """
            'init' creates the tables, and the roles acpbridge_ship and acpbridge_view with the least rights that they \
            need. 'migrate' upgrades the tables to this version. Both need a user that can create these. 'status' \
            lists the bridges of the hub.
            """,
            """
            Without --hub, the hub of the settings is used: see 'help config'. Put the password in a passfile \
            (~/.pgpass), in PGPASSWORD, in the configuration file or in ACPBRIDGE_HUB, never on the command line.
            """,
        ],
        syntax: Syntax(
            // Never used: ACTION is required.
            initial: HubOptions(action: .status),
            options: [
                .value("hub", "ADDRESS", into: \.address, default: "the hub of the settings", help: "The hub to use."),
                .json(sets: \.json),
            ],
            operands: [
                .required(
                    "ACTION", into: \.action, hintIfMissing: "Write 'init', 'status' or 'migrate'.",
                    help: "init, status or migrate.")
            ],
            finish: { (options, topic) throws(UsageError) in
                if options.address?.hasPassword == true { throw .passwordOnCommandLine(topic: topic) }
                return .hub(options)
            }),
        examples: [
            Example(
                purpose: "Create the tables in a database",
                command: "acpbridge hub init --hub postgres://owner@db.example/fleet"),
            Example(purpose: "Show the bridges of the hub", command: "acpbridge hub status"),
        ])
}

extension UsageError {
    static func passwordOnCommandLine(topic: CommandTopic) -> UsageError {
        UsageError(
            "The address of '--hub' contains a password, which every user of this machine could read in the process list.",
            hint: "Put the password in ~/.pgpass, in PGPASSWORD, or the whole address in ACPBRIDGE_HUB.", topic: topic)
    }
}
