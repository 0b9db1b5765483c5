import ArgumentParsing
import Invocations

extension Subcommand {
    static let connect = Subcommand(
        .connect,
        abstract: "Connect an editor to a running session, or to an agent under a bridge elsewhere",
        discussion: [
            """
            In your editor's settings, use 'acpbridge' as the agent's command, with the arguments 'connect' and SESSION \
            or URL. Standard output carries only ACP; messages for people go to standard error. When the agent exits, \
            acpbridge exits with the same status.
            """,
            """
            With SESSION the editor joins a running session, also beside another editor: the editor's first new session is \
            that session, with its history and its open permission requests. It stays in the agent's own folder. If no \
            running session has the name, or several have it, the exit status is 3.
            """,
            """
            A lost connection is restored without loss: messages from the editor wait here, messages from the agent \
            wait at the bridge, and all of them arrive once and in order. The agent is not affected.
            """,
            """
            If the bridge cannot be reached for the time of --give-up, the editor's pending requests fail with an \
            error that states the cause, and the exit status is 1.
            """,
        ],
        syntax: Syntax(
            initial: ConnectOptions(target: .session("")),
            options: [
                .value(
                    "give-up", "TIME", into: \.giveUp, default: "10m",
                    help: "How long to try to restore a lost connection.")
            ] + Option.access(in: \.connection),
            operands: [
                .required(
                    "SESSION|URL", into: \.target, completion: .session,
                    hintIfMissing: """
                        Write 'latest', or the id, the beginning of the id or the title of a running session; or \
                        wss://HOST/acp?agent=NAME: 'acpbridge agents --url wss://HOST' lists the names.
                        """,
                    help: """
                        A running session of your own bridge: its id, or a unique prefix of it; 'latest'; the title; or \
                        AGENT:ID. Or an agent elsewhere: wss://HOST/acp?agent=NAME, ws://HOST:PORT/acp?agent=NAME or \
                        unix:PATH?agent=NAME, with session=ID instead of agent=NAME to join a session there.
                        """)
            ],
            finish: { (options, _) in .connect(options) }),
        examples: [
            Example(
                purpose: "Join the session that was used last from a second editor",
                command: "acpbridge connect latest"),
            Example(
                purpose: "Use the agent 'claude' on another machine",
                command: "acpbridge connect wss://bridge.example/acp?agent=claude --token-file key"),
        ])
}
