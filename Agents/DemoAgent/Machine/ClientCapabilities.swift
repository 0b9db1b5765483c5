import DemoPrompts
import JSONScan

/// The version and the capabilities that were agreed in `initialize`, as far as this agent uses them.
struct ClientCapabilities: Equatable {
    var version = ProtocolVersion.one
    var canUseFiles = false
    var hasTerminal = false
    var acceptsBooleanOptions = false
    var elicitations: Set<ElicitationMode> = []
    /// Version 2 has no capability for child sessions: every client accepts them.
    var hasSubagents = false

    init() {}

    init(_ value: JSONValue?, version: ProtocolVersion = .one) {
        self.version = version
        for mode in [ElicitationMode.form, .url] where value?["elicitation"]?[mode.rawValue]?.kind == .object {
            elicitations.insert(mode)
        }
        hasSubagents = version == .two || value?["subagents"]?.kind == .object
        guard version == .one else { return }
        let files = value?["fs"]
        canUseFiles = files?["readTextFile"]?.boolValue == true && files?["writeTextFile"]?.boolValue == true
        hasTerminal = value?["terminal"]?.boolValue == true
        acceptsBooleanOptions = value?["session"]?["configOptions"]?["boolean"]?.kind == .object
    }
}
