import ACPMethods
import JSONScan

/// A setting of a session that its agent lets clients change: the mode, or an option such as the model. Pure.
///
/// Source: ACP's `SessionModeState` and `SessionConfigOption`, versions 1 and 2.
struct AgentSetting: Equatable {
    struct Choice: Equatable {
        let value: String
        let name: String
        let description: String?
    }

    private enum Kind: Equatable {
        case mode
        /// A value from a list. Version 2 requires the type in the request.
        case select(isVersion2: Bool)
        case boolean
    }

    /// The agent's name for it, for users to type; `mode` for the mode.
    let id: String
    let name: String
    let value: String
    let choices: [Choice]
    private let kind: Kind

    /// The settings in the order of the agent.
    ///
    /// - Parameter session: The value of `sessions:get`.
    static func all(of session: JSONValue) -> [AgentSetting] {
        let options = (session["configOptions"]?.elements ?? []).compactMap(AgentSetting.init(option:))
        // Agents with a mode among their options list the modes twice.
        let isListed = session["configOptions"]?.elements.contains { $0["category"]?.stringValue == "mode" } ?? false
        guard !isListed, let mode = AgentSetting(modesOf: session) else { return options }
        return [mode] + options
    }

    private init?(modesOf session: JSONValue) {
        guard let modes = session["modes"], let available = modes["availableModes"]?.elements, !available.isEmpty,
            let current = session["currentModeId"]?.stringValue ?? modes["currentModeId"]?.stringValue
        else { return nil }
        (id, name, value, kind) = ("mode", "Mode", current, .mode)
        choices = available.compactMap { Choice($0, value: $0["id"]?.stringValue) }
    }

    private init?(option: JSONValue) {
        let versioned = option["configId"]?.stringValue
        guard let id = versioned ?? option["id"]?.stringValue else { return nil }
        self.id = id
        name = option["name"]?.stringValue ?? id
        if option["type"]?.stringValue == "boolean" {
            guard let isOn = option["currentValue"]?.boolValue else { return nil }
            (value, kind) = (String(isOn), .boolean)
            choices = ["true", "false"].map { Choice(value: $0, name: $0 == "true" ? "on" : "off", description: nil) }
        } else {
            guard let current = option["currentValue"]?.stringValue else { return nil }
            (value, kind) = (current, .select(isVersion2: versioned != nil))
            // Choices can be in groups.
            choices = (option["options"]?.elements ?? []).flatMap { $0["options"]?.elements ?? [$0] }
                .compactMap { Choice($0, value: $0["value"]?.stringValue) }
        }
    }

    /// The choice that the user means: one with this value, or else with this name.
    func choice(_ text: String) -> Choice? {
        choices.first { $0.value == text } ?? choices.first { $0.name.lowercased() == text.lowercased() }
    }

    var method: ACPMethod { kind == .mode ? .sessionSetMode : .sessionSetConfigOption }

    /// Writes the parameters of the request, without the session.
    func write(_ choice: Choice, to writer: inout JSONWriter) {
        guard kind != .mode else { return writer.member("modeId", choice.value) }
        writer.member("configId", id)
        switch kind {
        case .boolean:
            writer.member("type", "boolean")
            writer.member("value", choice.value == "true")
        case .select(isVersion2: true):
            writer.member("type", "id")
            writer.member("value", choice.value)
        case .select, .mode: writer.member("value", choice.value)
        }
    }
}

extension AgentSetting.Choice {
    fileprivate init?(_ choice: JSONValue, value: String?) {
        guard let value else { return nil }
        self.value = value
        name = choice["name"]?.stringValue ?? value
        description = choice["description"]?.stringValue
    }
}
