/// Options of `acpbridge stdio`. At least one of `agent` and `command` is given.
package struct StdioOptions: Equatable, Sendable {
    /// The name of an agent's profile (`--agent`).
    package var agent: String?

    /// Without `agent`: the agent's command and its arguments. It is not empty, and its first word is not empty.
    /// With `agent`: arguments to append to the command of the profile; often empty.
    ///
    /// Some editors start the agent a second time with more arguments to let the user log in
    /// (`acpbridge --agent claude login --foo`). These arguments belong to the agent. With `agent`, they begin at the
    /// first word that is not an option of `stdio`, and the words after it are not parsed.
    package var command: [String]

    /// How long the agent continues after its work is done and its editor has disconnected (`--linger`); nil means
    /// ten minutes.
    package var linger: Duration?

    /// The agent continues until it is stopped explicitly (`--keep`).
    package var keeps = false

    /// How long a permission request waits for an answer while the agent has no client (`--permission-timeout`).
    /// Nil means the bridge's default.
    package var permissionLimit: Duration?

    /// The file in which all messages are recorded (`--wire-log`).
    package var wireLog: String?

    /// Do not hide tokens of known forms in that file (`--wire-log-tokens`).
    package var wireLogKeepsTokens = false

    package init(agent: String? = nil, command: [String] = []) {
        self.agent = agent
        self.command = command
    }
}
