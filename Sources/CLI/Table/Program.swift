/// The texts about `acpbridge` as a whole.
enum Program {
    static let abstract = "tmux for coding agents"

    static let discussion = [
        """
        An editor starts acpbridge as its ACP agent, and acpbridge runs the real agent. Terminals and programs can \
        then attach to the session. They receive the agent's own session/update lines, byte for byte. Each line is \
        stored before it is sent, and a reader can resume from any number.
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
            A folder for all files of the bridge (run, state and config), used instead of the XDG folders. \
            A separate folder means a separate bridge, for example for tests. Started on demand, that bridge takes a free \
            port and keeps it for its next starts; `acpbridge status` shows the port.
            """
        ),
        (
            name: "XDG_RUNTIME_DIR",
            meaning: """
            The socket and the locks are in acpbridge below this folder; if it is not set, in /tmp/acpbridge-UID, \
            where UID is the user's number.
            """
        ),
        (
            name: "XDG_STATE_HOME",
            meaning: """
            The session log and the audit log are in acpbridge below this folder; if it is not set, in \
            ~/.local/state/acpbridge.
            """
        ),
        (
            name: "XDG_CONFIG_HOME",
            meaning: """
            Settings, tokens, agent profiles and the rules of notifications are in acpbridge below this folder; if it \
            is not set, in ~/.config/acpbridge.
            """
        ),
        (name: "HOME", meaning: "The folder ~ above. If it is not set, the home folder of the user database is used."),
        (name: "ACPBRIDGE_TOKEN", meaning: "The access token for the bridge, if --token-file is not given."),
        (
            name: "ACPBRIDGE_URL",
            meaning: "The bridge to connect to, for each subcommand with --url if that is not given."
        ),
        (name: "ACPBRIDGE_AGENT", meaning: "The agent of 'run' and 'setup', if --agent is not given."),
        (
            name: "ACPBRIDGE_CONFIG",
            meaning: """
            The absolute path of the configuration file, used instead of config.json in the configuration folder.
            """
        ),
        (
            name: "ACPBRIDGE_NAME",
            meaning: """
            The option --name of 'serve', for every option that 'acpbridge config show' lists: ACPBRIDGE_LOG_LEVEL for \
            --log-level. An empty variable counts as not set.
            """
        ),
        (
            name: "ACPBRIDGE_DELEGATED",
            meaning: "With 1 in a unit with Delegate=yes, the bridge uses the unit's control group for agents' limits."
        ),
        (
            name: "ACPBRIDGE_DUMPABLE",
            meaning: """
            With 1, the bridge may leave a core file, which contains tokens and conversations, and a debugger may \
            attach to it. By default neither is possible.
            """
        ),
        (name: "NO_COLOR", meaning: "If it is not empty, terminals get no colours."),
    ]

    /// Rows of default path and content.
    static let files = [
        (
            name: "$XDG_RUNTIME_DIR/acpbridge/bridge.sock",
            meaning: "The bridge's Unix socket. Only the user who runs the bridge can open it."
        ),
        (name: "$XDG_RUNTIME_DIR/acpbridge/bridge.lock", meaning: "The running bridge's lock and process id."),
        (name: "~/.local/state/acpbridge/sessions.db", meaning: "The session log, an SQLite database."),
        (
            name: "~/.local/state/acpbridge/bridge.log",
            meaning: "The output of a bridge that an editor or a command has started."
        ),
        (name: "~/.local/state/acpbridge/audit.log", meaning: "The audit log: each recorded action with its actor."),
        (name: "~/.config/acpbridge/token", meaning: "The user's own access token, which has all rights."),
        (name: "~/.config/acpbridge/tokens", meaning: "The tokens that 'acpbridge token create' has issued."),
        (
            name: "~/.config/acpbridge/config.json",
            meaning: "The settings of the bridge, if the file exists; see 'help config'."
        ),
        (
            name: "~/.config/acpbridge/notifications.json",
            meaning: "The rules of notifications, if the file exists; see 'help notify'."
        ),
        (name: "~/.config/acpbridge/agents", meaning: "The folder of agent profiles."),
    ]

    static let exitStatuses = [
        (name: "0", meaning: "Success."),
        (name: "1", meaning: "Failure; the reason is on standard error."),
        (name: "3", meaning: "The session does not exist, or several sessions match."),
        (name: "4 to 7", meaning: "The turn did not finish normally (prompt, run); see 'help prompt'."),
        (name: "64", meaning: "Wrong usage; standard error has a suggestion if possible."),
        (name: "65", meaning: "The file has an error (import)."),
        (name: "78", meaning: "The configuration has an error (serve, config)."),
        (
            name: "126",
            meaning: "The agent's command cannot be run, or the bridge refused the editor's streams (stdio)."
        ),
        (name: "127", meaning: "The agent's command was not found (stdio)."),
        (name: "other", meaning: "The agent's own exit status (stdio, connect)."),
    ]

    static let examples = [
        Example(purpose: "Use this command as the agent in an editor", command: "acpbridge --agent claude"),
        Example(purpose: "Watch the agent from a terminal", command: "acpbridge attach latest --pretty"),
    ]
}
