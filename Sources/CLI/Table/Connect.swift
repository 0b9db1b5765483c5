extension Subcommand {
    static let connect = Subcommand(
        .connect,
        abstract: "Be the agent for an editor, where the agent runs under a bridge elsewhere",
        discussion: [
            """
            In your editor's settings, put 'acpbridge' where the agent's command stands, and give it the arguments \
            'connect' and URL. Standard output carries ACP and nothing else; what is meant for a person goes to standard \
            error. When the agent ends, acpbridge ends with its exit status.
            """,
            """
            A connection that is lost is made anew, and nothing is lost with it: what the editor says waits here, what the \
            agent says waits at the bridge, and all of it arrives once and in order. The agent notices nothing.
            """,
            """
            When the bridge is not to be reached for as long as --give-up says, what the editor has asked is answered with \
            an error that names the cause, and the exit status is 1.
            """,
        ],
        syntax: Syntax(
            initial: ConnectOptions(url: .unixSocket(path: "", query: "")),
            options: [
                .value(
                    "give-up", "TIME", into: \.giveUp, default: "10m",
                    help: "How long to try to make a lost connection anew.")
            ] + Option.access(in: \.connection),
            operands: [
                .required(
                    "URL", into: \.url, completion: .nothing,
                    hintIfMissing:
                        "Write wss://HOST/acp?agent=NAME; 'acpbridge agents --url wss://HOST' lists the names.",
                    help: """
                        The agent: wss://HOST/acp?agent=NAME, ws://HOST:PORT/acp?agent=NAME or unix:PATH?agent=NAME. With \
                        session=ID in place of agent=NAME, a session that runs already.
                        """)
            ],
            finish: { (options, _) in .connect(options) }),
        examples: [
            Example(
                purpose: "Use the agent named claude of another machine",
                command: "acpbridge connect wss://bridge.example/acp?agent=claude --token-file key")
        ])
}
