import ArgumentParsing
import CLI
import Invocations
import TextSearch

/// The options of a bridge after the command line, the environment and the configuration file were combined.
///
/// An option overrides its variable, and the variable overrides the file. `limit` is combined by the name of the limit.
package struct ResolvedSettings: Equatable, Sendable {
    package let options: ServeOptions
    /// One for each setting, in the order of the help page. Without a value, the texts are empty.
    package let settings: [Setting]
    /// Settings without an effect, because a setting of a higher level excludes them.
    package let unused: [UnusedSetting]

    /// A setting that another one excludes.
    package struct UnusedSetting: Equatable, Sendable, CustomStringConvertible {
        package let setting: Setting
        /// The setting of the higher level.
        package let cause: Setting

        /// `'tls-cert', set in /etc/c.json:3, has no effect, because 'no-tcp' is set on the command line`
        package var description: String {
            "'\(setting.name)', set \(setting.origin.place), has no effect, "
                + "because '\(cause.name)' is set \(cause.origin.place)"
        }
    }

    /// Settings that exclude each other. One of them on a higher level removes the other ones on the lower levels.
    private static let exclusions = [
        (one: "no-tcp", others: ["listen", "tls-cert", "tls-key", "behind-proxy", "public-url", "trusted-proxy"])
    ]

    /// - Parameter written: The options of the command line, of which those of `ServeSettings` are settings.
    /// - Throws: `SettingFault` for settings that exclude or require each other.
    package init(
        written: [WrittenOption], environment: [Setting] = [], file: [Setting] = []
    ) throws(SettingFault) {
        var levels: [[Setting]] = []
        var unused: [UnusedSetting] = []
        for level in [file, environment, Self.settings(written)] {
            let removed = Self.excluded(by: level)
            for setting in levels.joined() {
                if let cause = removed.cause(of: setting.name), setting.texts != ["false"] {
                    unused.append(UnusedSetting(setting: setting, cause: cause))
                }
            }
            levels = levels.map { $0.filter { removed.cause(of: $0.name) == nil } } + [level]
        }
        self.unused = unused
        let combined = levels.flatMap(\.self)
        let known = ServeSettings.all.map(\.name)
        let actions = written.filter { !known.contains($0.name) }
        var values: [WrittenOption] = []
        var settings: [Setting] = []
        for description in ServeSettings.all {
            let given = combined.filter { $0.name == description.name }
            let used = description.name == "limit" ? given : given.suffix(1)
            let texts = used.flatMap(\.texts)
            settings.append(Setting(name: description.name, texts: texts, origin: used.last?.origin ?? .standard))
            values += texts.compactMap { Self.written(description, $0) }
        }
        self.settings = settings
        do throws(UsageError) {
            options = try ServeSettings.options(values + actions)
        } catch {
            throw SettingFault(path: nil, line: nil, message: Self.message(error, settings))
        }
    }

    private static func settings(_ written: [WrittenOption]) -> [Setting] {
        ServeSettings.all.compactMap { description in
            let texts = written.filter { $0.name == description.name }.map(\.text)
            guard !texts.isEmpty else { return nil }
            return Setting(
                name: description.name, texts: description.valueName == nil ? ["true"] : texts, origin: .commandLine)
        }
    }

    /// The names of the settings of lower levels that the settings of this level exclude, each with its cause.
    private static func excluded(by level: [Setting]) -> [(name: String, cause: Setting)] {
        var causes: [(name: String, cause: Setting)] = []
        for (one, others) in exclusions {
            if let cause = level.first(where: { $0.name == one && $0.texts == ["true"] }) {
                for name in others { causes.append((name, cause)) }
            }
            if let cause = level.first(where: { others.contains($0.name) && $0.texts != ["false"] }) {
                causes.append((one, cause))
            }
        }
        return causes
    }

    private static func written(_ description: OptionDescription, _ text: String) -> WrittenOption? {
        guard description.valueName == nil else { return WrittenOption(name: description.name, text: text) }
        return text == "true" ? WrittenOption(name: description.name, text: "") : nil
    }

    /// The error's sentences, with the origins of the settings that it names.
    private static func message(_ error: UsageError, _ settings: [Setting]) -> String {
        let named = settings.filter { $0.origin != .standard && error.message.contains(text: "'--\($0.name)'") }
        let origins = named.map { "'\($0.name)' is set \($0.origin.place)" }.joined(separator: ", ")
        return ([error.message, origins.isEmpty ? nil : origins + ".", error.hint] as [String?])
            .compactMap(\.self).joined(separator: " ")
    }
}

extension SettingOrigin {
    /// `by default`, `in FILE:3`, `by ACPBRIDGE_LISTEN` or `on the command line`.
    package var place: String {
        switch self {
        case .standard: "by default"
        case .file(let path, let line): "in \(path):\(line)"
        case .environment(let variable): "by \(variable)"
        case .commandLine: "on the command line"
        }
    }
}

extension [(name: String, cause: Setting)] {
    fileprivate func cause(of name: String) -> Setting? {
        for entry in self where entry.name == name { return entry.cause }
        return nil
    }
}
