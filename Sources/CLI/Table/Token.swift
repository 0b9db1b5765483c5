extension Subcommand {
    static let token = Subcommand(
        .token,
        abstract: "Make, list and revoke access tokens",
        discussion: [
            """
            'create' prints a new token, which is shown only this once: the bridge keeps no more than a hash of it. \
            'list' shows which there are. 'revoke' makes one worthless, and closes the connections that rest on it.
            """,
            """
            A token is shown to a bridge over TCP; on your own Unix socket you need none. With 'observe' its holder can \
            read sessions; with 'control' drive them, too; with 'admin' stop the bridge and make tokens, too.
            """,
        ],
        syntax: Syntax(
            // Never seen: ACTION is required.
            initial: TokenOptions(action: .list),
            options: [
                .value("role", "ROLE", into: \.role, help: "What a new token's holder may do."),
                .value(
                    "ttl", "DURATION", into: \.life, default: "for ever",
                    help: "How long a new token is good for, such as 12h or 30d."),
                .value("name", "NAME", into: \.name, help: "What a new token is for, to know it by in the list."),
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
                purpose: "Let a program of yours watch, for a month",
                command: "acpbridge token create --role observe --ttl 30d --name dashboard"),
            Example(purpose: "Take that back", command: "acpbridge token revoke tk_3f9a01c2"),
        ])
}

extension TokenOptions {
    fileprivate func checked(topic: SubcommandName?) throws(UsageError) -> TokenOptions {
        if let life, life < .seconds(1) {
            throw UsageError(
                "Invalid value for '--ttl': a token is good for a second at least.", hint: nil, topic: topic)
        }
        let isCreating = action == .create
        if isCreating, role == nil {
            throw UsageError(
                "Missing option: --role.", hint: "Write '--role observe', '--role control' or '--role admin'.",
                topic: topic)
        }
        if !isCreating, role != nil || life != nil || name != nil {
            throw UsageError(
                "'--role', '--ttl' and '--name' belong to 'token create'.", hint: "Leave them out.", topic: topic)
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
