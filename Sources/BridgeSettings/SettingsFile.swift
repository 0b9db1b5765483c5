import ArgumentParsing
import CLI
import Invocations
import JSONScan
import PermissionRules

/// The settings in the text of a configuration file, and the errors of that text.
///
/// The text is a JSON object. Comments and trailing commas are allowed. A key is the name of an option of
/// `acpbridge serve` without its dashes. The value is
///
/// - `true` or `false` for a flag,
/// - a string or a number for an option with a value,
/// - an array of these, or a single one, for an option that can be repeated; for `limit`, also an object of names and
///   values; for `peer`, also objects of `url`, `tokenFile`, `caFile` and `name`.
///
/// The value of the key `permission-rules` is an array of rules. `serve` has no such option.
package struct SettingsFile: Equatable, Sendable {
    /// In the order of the file; without those that have an error.
    package private(set) var settings: [Setting] = []
    package private(set) var permissionRules = PermissionRules()
    package private(set) var faults: [SettingFault] = []

    /// An empty file.
    package init() {}

    /// - Parameters:
    ///   - path: The file's path, for errors.
    ///   - folder: The folder that relative paths of files refer to, without a slash at the end.
    package init(_ text: [UInt8], path: String, folder: String) {
        let place = Place(path: path, text: text)
        do throws(JSONSyntaxError) {
            let value = try JSONValue(validating: CommentedJSON.plain(text))
            guard value.kind == .object else {
                faults.append(place.fault("the file must contain an object: { ... }", at: value))
                return
            }
            var reader = Reader(place: place, folder: folder)
            for (key, value) in value.members { reader.read(key, value) }
            (settings, permissionRules, faults) = (reader.settings, reader.permissionRules, reader.faults)
        } catch {
            faults.append(
                SettingFault(
                    path: path, line: CommentedJSON.line(of: error.offset, in: text),
                    message: "not valid JSON: \(error.reason.rawValue)"))
        }
    }
}

/// The value of one setting, and its origin.
package struct Setting: Equatable, Sendable {
    package let name: String
    /// The texts of the values; for a flag, `true` or `false`.
    package let texts: [String]
    package let origin: SettingOrigin
}

/// Where the value of a setting comes from.
package enum SettingOrigin: Equatable, Sendable {
    case standard
    /// - Parameter line: Counted from 1.
    case file(path: String, line: Int)
    case environment(variable: String)
    case commandLine
}

/// An error in the settings.
package struct SettingFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file or the variable that has the error; nil for a combination of settings of different origins.
    package let path: String?
    package let line: Int?
    /// Begins with a small letter; without a full stop.
    package let message: String

    package init(path: String?, line: Int?, message: String) {
        self.path = path
        self.line = line
        self.message = message
    }

    /// `/etc/acpbridge/config.json:3: unknown key 'lisen'; did you mean 'listen'?`
    package var description: String {
        [path, line.map(String.init)].compactMap(\.self).joined(separator: ":") + (path == nil ? "" : ": ") + message
    }
}

private struct Place {
    let path: String
    let text: [UInt8]

    func line(of value: JSONValue) -> Int { CommentedJSON.line(of: value.rawText.startIndex, in: text) }

    func fault(_ message: String, at value: JSONValue) -> SettingFault {
        SettingFault(path: path, line: line(of: value), message: message)
    }
}

private struct Reader {
    let place: Place
    let folder: String
    var settings: [Setting] = []
    var permissionRules = PermissionRules()
    var faults: [SettingFault] = []
    private var hasPermissionRules = false

    init(place: Place, folder: String) {
        self.place = place
        self.folder = folder
    }

    mutating func read(_ key: String, _ value: JSONValue) {
        // Lets editors find a schema.
        if key == "$schema" { return }
        if key == PermissionRuleReader.key { return readPermissionRules(value) }
        guard let description = ServeSettings.all.first(where: { $0.name == key }) else {
            return faults.append(place.fault(unknown(key), at: value))
        }
        if settings.contains(where: { $0.name == key }) {
            return faults.append(place.fault("'\(key)' was given more than once", at: value))
        }
        guard let texts = texts(description, value) else {
            return faults.append(place.fault("the value of '\(key)' must be \(shape(description))", at: value))
        }
        let absolute = texts.map { SettingText.absolute($0.text, description, folder: folder) }
        let wrong = zip(absolute, texts).compactMap { [place] absolute, written in
            SettingText.fault(absolute, description).map { place.fault($0, at: written.value) }
        }
        guard wrong.isEmpty else { return faults += wrong }
        settings.append(
            Setting(name: key, texts: absolute, origin: .file(path: place.path, line: place.line(of: value))))
    }

    private mutating func readPermissionRules(_ value: JSONValue) {
        if hasPermissionRules {
            return faults.append(place.fault("'\(PermissionRuleReader.key)' was given more than once", at: value))
        }
        hasPermissionRules = true
        let reader = PermissionRuleReader(value)
        permissionRules = PermissionRules(reader.rules)
        faults += reader.faults.map { place.fault($0.message, at: $0.value) }
    }

    private func unknown(_ key: String) -> String {
        let names = ServeSettings.all.map(\.name) + [PermissionRuleReader.key]
        let hint =
            nearest(to: key, among: names).map { "did you mean '\($0)'?" } ?? "'acpbridge config show' lists all keys"
        return "unknown key \(quoted(key)); \(hint)"
    }

    /// One of a setting's values, and its place in the file.
    private struct Written {
        let text: String
        let value: JSONValue

        init?(_ text: String?, _ value: JSONValue) {
            guard let text else { return nil }
            (self.text, self.value) = (text, value)
        }
    }

    /// Returns nil if the value has the wrong shape.
    private func texts(_ description: OptionDescription, _ value: JSONValue) -> [Written]? {
        if description.valueName == nil { return all([Written(value.boolValue.map { String($0) }, value)]) }
        guard description.isRepeatable else { return all([Written(text(value), value)]) }
        switch value.kind {
        case .array where description.name == "peer":
            return all(value.elements.map { Written(peer($0) ?? text($0), $0) })
        case .array: return all(value.elements.map { Written(text($0), $0) })
        case .object where description.name == "peer": return all([Written(peer(value), value)])
        case .object where description.name == "limit":
            return all(value.members.map { name, value in Written(text(value).map { "\(name)=\($0)" }, value) })
        default: return all([Written(text(value), value)])
        }
    }

    /// The text of an object that describes a peer; nil for other values, and for other members.
    private func peer(_ value: JSONValue) -> String? {
        let names = ["url", "tokenFile", "caFile", "name"]
        guard value.kind == .object,
            value.members.allSatisfy({ names.contains($0.name) && $0.value.stringValue != nil }),
            let url = value["url"]?.stringValue
        else { return nil }
        return PeerAddress(
            url: url, tokenFile: file(value["tokenFile"]), authoritiesFile: file(value["caFile"]),
            name: value["name"]?.stringValue
        ).description
    }

    private func file(_ value: JSONValue?) -> String? {
        value?.stringValue.map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
    }

    private func all(_ texts: [Written?]) -> [Written]? {
        let written = texts.compactMap(\.self)
        return written.count == texts.count ? written : nil
    }

    private func text(_ value: JSONValue) -> String? {
        value.kind == .number ? value.rawString : value.stringValue
    }

    private func shape(_ description: OptionDescription) -> String {
        if description.valueName == nil { return "true or false" }
        guard description.isRepeatable else { return "a string or a number" }
        switch description.name {
        case "limit": return "an object of names and values"
        case "peer": return "an array of objects with url, tokenFile, caFile and name"
        default: return "an array of strings"
        }
    }
}
