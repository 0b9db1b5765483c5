import ArgumentParsing
import CLI

/// The settings in environment variables, such as `ACPBRIDGE_LOG_LEVEL=info`, and their errors.
///
/// An empty variable counts as not set. A flag is `1` or `0`, or `true` or `false`. Commas separate the values of a
/// setting that can be repeated.
package struct SettingsEnvironment: Equatable, Sendable {
    package private(set) var settings: [Setting] = []
    package private(set) var faults: [SettingFault] = []

    /// - Parameter folder: The folder that relative paths of files refer to.
    package init(_ variables: [String: String], folder: String) {
        for description in ServeSettings.all {
            let variable = Self.variable(for: description.name)
            guard let text = variables[variable], !text.isEmpty else { continue }
            read(text, variable, description, folder)
        }
    }

    /// `ACPBRIDGE_LOG_LEVEL` for `log-level`.
    package static func variable(for name: String) -> String {
        "ACPBRIDGE_" + String(decoding: name.utf8.map(character(for:)), as: UTF8.self)
    }

    /// The names of settings are ASCII.
    private static func character(for character: UInt8) -> UInt8 {
        switch character {
        case UInt8(ascii: "-"): UInt8(ascii: "_")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - 32
        default: character
        }
    }

    private mutating func read(_ text: String, _ variable: String, _ description: OptionDescription, _ folder: String) {
        guard let texts = Self.texts(text, description) else {
            faults.append(
                SettingFault(path: variable, line: nil, message: "invalid value \(quoted(text)): expected 1 or 0"))
            return
        }
        let absolute = texts.map { SettingText.absolute($0, description, folder: folder) }
        if let message = absolute.lazy.compactMap({ SettingText.fault($0, description) }).first {
            return faults.append(SettingFault(path: variable, line: nil, message: message))
        }
        settings.append(Setting(name: description.name, texts: absolute, origin: .environment(variable: variable)))
    }

    private static func texts(_ text: String, _ description: OptionDescription) -> [String]? {
        if description.valueName == nil {
            let flags = ["1": "true", "true": "true", "0": "false", "false": "false"]
            return flags[text.lowercased()].map { [$0] }
        }
        guard description.isRepeatable else { return [text] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
