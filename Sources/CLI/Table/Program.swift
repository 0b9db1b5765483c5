/// What there is to say about `acpbridge` as a whole.
enum Program {
    static let abstract = "tmux for coding agents"

    static let discussion = [
        """
        An editor starts acpbridge as its ACP agent, and the real agent runs behind it. Others can then attach to the \
        session, from a terminal or a program. They get the agent's own session/update lines, byte for byte, stored \
        before they are sent, and can go on from any number.
        """
    ]

    static let synopses = [
        ["[stdio]", "[--agent NAME]", "[--]", "[COMMAND [ARG...]]"],
        ["SUBCOMMAND", "[OPTION...]"],
    ]

    /// Rows of name and meaning.
    static let environment = [
        (
            name: "ACPBRIDGE_HOME",
            meaning: """
            A folder for all that a bridge keeps (run, state and config), in place of the XDG folders. It makes \
            a bridge of its own, for tests or for trying out.
            """
        ),
        (name: "ACPBRIDGE_TOKEN", meaning: "The access token to show to a bridge, where --token-file names none."),
        (
            name: "ACPBRIDGE_DUMPABLE",
            meaning: """
            With 1 the bridge may leave a core file, which holds tokens and conversations, and a debugger may attach to \
            it. Without it neither is possible.
            """
        ),
    ]

    static let exitStatuses = [
        (name: "0", meaning: "Success."),
        (name: "1", meaning: "Failure; standard error says why."),
        (name: "3", meaning: "There is no such session."),
        (name: "4 to 7", meaning: "The turn ended otherwise than well (prompt); 'help prompt' says how."),
        (name: "64", meaning: "Wrong usage; standard error says what was meant, where it can tell."),
        (name: "127", meaning: "The agent's command was not found (stdio)."),
        (name: "other", meaning: "The agent's own exit status (stdio)."),
    ]

    static let examples = [
        Example(purpose: "What to put into an editor as its agent", command: "acpbridge --agent claude"),
        Example(purpose: "Watch what it does, from a terminal", command: "acpbridge attach latest --pretty"),
    ]
}
