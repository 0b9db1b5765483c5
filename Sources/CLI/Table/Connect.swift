import ArgumentParsing
import Invocations

extension Subcommand {
    static let connect = Subcommand(
        .connect,
        abstract: "Connect an editor to an agent that runs under a bridge elsewhere",
        discussion: [
            """
            In your editor's settings, use 'acpbridge' as the agent's command, with the arguments 'connect' and URL. \
            Standard output carries only ACP; messages for people go to standard error. When the agent exits, \
            acpbridge exits with the same status.
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
            initial: ConnectOptions(url: .unixSocket(path: "", query: "")),
            options: [
                .value(
                    "give-up", "TIME", into: \.giveUp, default: "10m",
                    help: "How long to try to restore a lost connection.")
            ] + Option.access(in: \.connection),
            operands: [
                .required(
                    "URL", into: \.url, completion: .nothing,
                    hintIfMissing:
                        "Write wss://HOST/acp?agent=NAME; 'acpbridge agents --url wss://HOST' lists the names.",
                    help: """
                        The agent: wss://HOST/acp?agent=NAME, ws://HOST:PORT/acp?agent=NAME or unix:PATH?agent=NAME. \
                        To join a running session, use session=ID instead of agent=NAME.
                        """)
            ],
            finish: { (options, _) in .connect(options) }),
        examples: [
            Example(
                purpose: "Use the agent 'claude' on another machine",
                command: "acpbridge connect wss://bridge.example/acp?agent=claude --token-file key")
        ])
}
