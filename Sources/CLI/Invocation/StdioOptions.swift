/// Options of `acpbridge stdio`. At least one of `agent` and `command` is there.
public struct StdioOptions: Equatable, Sendable {
    /// The name of an agent's profile (`--agent`).
    public var agent: String?

    /// Without `agent`: the agent's command and its arguments, never empty and never beginning with an empty word.
    /// With `agent`: arguments to append to the command of its profile, often none.
    ///
    /// An editor that wants its user to log in launches the agent a second time with more arguments
    /// (`acpbridge --agent claude login --foo`). They are the agent's: with `agent`, the first word that is no option
    /// of `stdio` begins them, and nothing after it is looked at.
    public var command: [String]

    /// How long the agent goes on when its work is done and its editor is gone (`--linger`); nil for ten minutes.
    public var linger: Duration?

    /// The agent goes on until it is told to end (`--keep`).
    public var keeps = false

    /// How long what the agent asks to be allowed waits for an answer while nobody has the agent
    /// (`--permission-timeout`); nil for what the bridge was told.
    public var permissionLimit: Duration?

    public init(agent: String? = nil, command: [String] = []) {
        self.agent = agent
        self.command = command
    }
}
