import ArgumentParsing
import Invocations

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
            'retain' deletes sessions that ended longer ago than AGE, and bridges do not ship them again. It drops the \
            partition of a day if all of its sessions are that old, and deletes rows otherwise. It needs the owner of \
            the tables. Bridges can ship meanwhile. It deletes nothing at the bridges.
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
                .flag(
                    "dry-run", sets: \.isDryRun, help: "With 'retain': show what would be deleted, and delete nothing."),
                .json(sets: \.json),
            ],
            operands: [
                .required(
                    "ACTION", into: \.action, hintIfMissing: "Write 'init', 'status', 'migrate' or 'retain'.",
                    help: "init, status, migrate or retain."),
                .optional("AGE", into: \.age, help: "With 'retain': for example 90d; at least 1h."),
            ],
            finish: { (options, topic) throws(UsageError) in
                if options.address?.hasPassword == true { throw .passwordOnCommandLine(topic: topic) }
                try options.checkRetention(topic: topic)
                return .hub(options)
            }),
        examples: [
            Example(
                purpose: "Create the tables in a database",
                command: "acpbridge hub init --hub postgres://owner@db.example/fleet"),
            Example(purpose: "Show the bridges of the hub", command: "acpbridge hub status"),
            Example(
                purpose: "Show which sessions ended more than 90 days ago",
                command: "acpbridge hub retain 90d --dry-run"),
        ])
}

extension HubOptions {
    fileprivate func checkRetention(topic: CommandTopic) throws(UsageError) {
        guard action == .retain else {
            guard age == nil, !isDryRun else {
                throw UsageError(
                    "AGE and '--dry-run' belong to 'hub retain'.", hint: "Leave them out.", topic: topic)
            }
            return
        }
        guard let age else {
            throw UsageError("'hub retain' requires an AGE.", hint: "Write for example 90d.", topic: topic)
        }
        guard age >= Self.leastAge else {
            throw UsageError(
                "The AGE of 'hub retain' must be at least 1h.", hint: "Write for example 90d.", topic: topic)
        }
    }
}

extension UsageError {
    static func passwordOnCommandLine(topic: CommandTopic) -> UsageError {
        UsageError(
            "The address of '--hub' contains a password, which every user of this machine could read in the process list.",
            hint: "Put the password in ~/.pgpass, in PGPASSWORD, or the whole address in ACPBRIDGE_HUB.", topic: topic)
    }
}
