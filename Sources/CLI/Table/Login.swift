import ArgumentParsing
import Invocations

extension Subcommand {
    static let login = Subcommand(
        .login,
        abstract: "Log in to an agent",
        discussion: [
            """
            Starts the agent and logs in by one of the ways that it offers: the agent logs in by itself, for example with a \
            page in your browser, or its own login runs in this terminal. If there are several, you are asked for one at a \
            terminal. 'run' offers this, too, if an agent requires a login.
            """,
            """
            The agent keeps the login for your user on this machine, so sessions of editors, of the page and of other \
            machines can use it. An agent that runs already may have to be stopped once. The exit status is 1 if the login \
            fails, and 64 if METHOD does not exist or is missing.
            """,
        ],
        syntax: Syntax(
            initial: LoginOptions(),
            options: [],
            operands: [
                .optional(
                    "AGENT", into: \.agent, completion: .agent,
                    help: "The agent; 'acpbridge agents' lists the names (default: $ACPBRIDGE_AGENT)."),
                .optional(
                    "METHOD", into: \.method, completion: .nothing, help: "The id or the name of the way to log in."),
            ],
            finish: { (options, _) in .login(options) }),
        examples: [
            Example(purpose: "Log in, and be asked how", command: "acpbridge login codex"),
            Example(
                purpose: "Log in with an API key of the environment", command: "acpbridge login codex openai-api-key"),
        ])
}
