import ArgumentParsing
import CLI
import TextSearch

/// Checks of the text of one value.
enum SettingText {
    /// Returns the error of an invalid value; nil if the value is valid.
    ///
    /// - Parameter text: For a flag, `true` or `false`.
    static func fault(_ text: String, _ description: OptionDescription) -> String? {
        let written = WrittenOption(name: description.name, text: description.valueName == nil ? "" : text)
        if ServeSettings.accepts(written) { return nil }
        if description.isSecret {
            return "invalid value for '\(description.name)': expected \(description.expectation)"
        }
        let correction = description.correction(of: text)
        let suffix = correction.nearest.map { "; did you mean '\($0)'?" } ?? ""
        return "invalid value \(quoted(text)) for '\(description.name)': expected \(correction.expectation)\(suffix)"
    }

    /// The text with an absolute path, if the setting names a file. A URL remains as it is.
    static func absolute(_ text: String, _ description: OptionDescription, folder: String) -> String {
        guard case .file = description.completion, !text.isEmpty, !text.hasPrefix("/"), !text.contains(text: "://")
        else {
            return text
        }
        return "\(folder)/\(text)"
    }
}
