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

    /// The agent's id of the setting, which users type; `mode` for the mode.
    let id: String
    let name: String
    /// The value as users type it: `true` or `false` for a boolean.
    let value: String
    let choices: [Choice]
    private let kind: Kind

    /// The settings in the order of the agent.
    ///
    /// - Parameter session: The value of `sessions:get`.
    static func all(of session: JSONValue) -> [AgentSetting] {
        let listed = session["configOptions"]?.elements ?? []
        let options = listed.compactMap(AgentSetting.init(option:))
        // Agents with a mode among their options list the modes twice. Then the option is used, as ACP recommends.
        let hasModeOption =
            listed.contains { $0["category"]?.stringValue == "mode" } || options.contains { $0.id == "mode" }
        guard !hasModeOption, let mode = AgentSetting(modesOf: session) else { return options }
        return [mode] + options
    }

    /// Returns the setting with this id, or else all with this name.
    static func named(_ text: String, in settings: [AgentSetting]) -> [AgentSetting] {
        if let setting = settings.first(where: { $0.id == text }) { return [setting] }
        return settings.filter { $0.name.lowercased() == text.lowercased() }
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

    /// Returns the choice with this value, or else with this name.
    func choice(_ text: String) -> Choice? {
        choices.first { $0.value == text } ?? choices.first { $0.name.lowercased() == text.lowercased() }
    }

    /// Returns the value that the agent has instead of `choice` after its answer to the request. Returns nil if the agent has
    /// the choice, and if the answer does not contain the setting: the answer about a mode is empty.
    func otherValue(than choice: Choice, in answer: JSONValue) -> String? {
        let answered = Self.all(of: answer).first { $0.id == id }
        return answered.flatMap { $0.value == choice.value ? nil : $0.value }
    }

    var method: ACPMethod { kind == .mode ? .sessionSetMode : .sessionSetConfigOption }

    /// Writes the parameters of the request, without the session.
    func write(_ choice: Choice, to writer: inout JSONWriter) {
        guard kind != .mode else { return writer.member("modeId", choice.value) }
        writer.member("configId", id)
        switch kind {
        case .boolean:
            writer.member("type", "boolean")
        case .select(isVersion2: true):
            writer.member("type", "id")
        case .select, .mode: break
        }
        write(value: choice.value, to: &writer)
    }
}

extension AgentSetting {
    /// Writes the setting as a row of `set --json`. The values of a boolean are JSON booleans.
    func writeRow(to writer: inout JSONWriter) {
        writer.member("setting", id)
        writer.member("name", name)
        writer.member("type", kind == .boolean ? "boolean" : "select")
        write(value: value, to: &writer)
        writer.memberArray("choices") { list in
            for choice in choices {
                list.object { writer in
                    write(value: choice.value, to: &writer)
                    writer.member("name", choice.name)
                    writer.member("description", ifPresent: choice.description)
                }
            }
        }
    }

    private func write(value: String, to writer: inout JSONWriter) {
        if kind == .boolean { writer.member("value", value == "true") } else { writer.member("value", value) }
    }
}

extension AgentSetting.Choice {
    /// `10 (Quick)`; only the value if the name does not differ.
    var label: String { name.lowercased() == value.lowercased() ? value : "\(value) (\(name))" }

    fileprivate init?(_ choice: JSONValue, value: String?) {
        guard let value else { return nil }
        self.value = value
        name = choice["name"]?.stringValue ?? value
        description = choice["description"]?.stringValue
    }
}
