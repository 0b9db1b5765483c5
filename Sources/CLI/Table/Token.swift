import ArgumentParsing
import Invocations

extension Subcommand {
    static let token = Subcommand(
        .token,
        abstract: "Create, list and revoke access tokens",
        discussion: [
            """
            'create' prints a new token. It is shown only once, because the bridge stores only a hash of it. 'list' \
            shows the existing tokens. 'revoke' invalidates a token and closes the connections that use it.
            """,
            """
            A bridge requires a token over TCP, but not on your own Unix socket. The role 'observe' allows its holder \
            to read sessions, 'control' also to use them, and 'admin' also to stop the bridge and create tokens.
            """,
        ],
        syntax: Syntax(
            // Never used: ACTION is required.
            initial: TokenOptions(action: .list),
            options: [
                .value("role", "ROLE", into: \.role, help: "The rights of the new token."),
                .value(
                    "ttl", "DURATION", into: \.life, default: "no expiry",
                    help: "The lifetime of the new token, such as 12h or 30d."),
                .value("name", "NAME", into: \.name, help: "A name for the new token, shown in the list."),
                .json(sets: \.json),
            ] + Option.connection(in: \.connection),
            operands: [
                .required(
                    "ACTION", into: \.action, hintIfMissing: "Write 'create', 'list' or 'revoke'.",
                    help: "create, list or revoke."),
                .optional("ID", into: \.id, help: "The token to revoke, such as tk_3f9a01c2."),
            ],
            finish: { (options, topic) throws(UsageError) in .token(try options.checked(topic: topic)) }),
        examples: [
            Example(
                purpose: "Allow a program to read sessions for a month",
                command: "acpbridge token create --role observe --ttl 30d --name dashboard"),
            Example(purpose: "Revoke that token", command: "acpbridge token revoke tk_3f9a01c2"),
        ])
}

extension TokenOptions {
    fileprivate func checked(topic: CommandTopic) throws(UsageError) -> TokenOptions {
        if let life, life < .seconds(1) {
            throw UsageError(
                "Invalid value for '--ttl': the lifetime of a token is at least one second.", hint: nil, topic: topic)
        }
        let isCreating = action == .create
        if isCreating, role == nil {
            throw UsageError(
                "Missing option: --role.", hint: "Write '--role observe', '--role control' or '--role admin'.",
                topic: topic)
        }
        if !isCreating, role != nil || life != nil || name != nil {
            throw UsageError(
                "'--role', '--ttl' and '--name' are options of 'token create' only.", hint: "Omit them.", topic: topic)
        }
        if action == .revoke, id == nil {
            throw UsageError("Missing argument: ID.", hint: "'acpbridge token list' shows the ids.", topic: topic)
        }
        if action != .revoke, let id {
            throw UsageError("Unexpected argument '\(id)'.", hint: "Only 'revoke' takes an ID.", topic: topic)
        }
        return self
    }
}
