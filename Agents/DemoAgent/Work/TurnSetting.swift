import DemoPrompts

/// The inputs of a turn's script, in addition to the prompt.
struct TurnSetting: Equatable {
    var sessionID: String
    var cwd: String
    /// The number of the turn, from 1.
    var turn: Int
    var pace: Duration
    /// The client declared both `fs.readTextFile` and `fs.writeTextFile`.
    var canUseFiles: Bool
    var hasTerminal: Bool
    /// The default from the mode and stored answers; the prompt can override it.
    var asksPermission: Bool
    /// True in mode `yolo`, in which the prompt cannot request permission.
    var neverAsks = false
    /// True after an earlier `reject_always`.
    var rejectsEdits = false
    var thinks = true
    var usedTokens = 0
    /// The time at which the turn began, in ISO 8601.
    var startedAt = ""
    var version = ProtocolVersion.one
    /// The ways of elicitation that the client offers.
    var elicitations: Set<ElicitationMode> = []
    /// True if the client accepts child sessions: always in version 2, by a capability in version 1.
    var hasSubagents = false
    /// The seed of the prose, in addition to the prompt and the turn.
    var seed: UInt64 = 0
}
