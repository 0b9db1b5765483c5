import BridgeSettings
import CLI
import CommandContext
import Invocations
import JSONScan
import PermissionRules
import TerminalIO
import TerminalText

/// `acpbridge config`: checks or prints the settings that a bridge would start with now.
package struct ConfigCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    /// Returns the exit status.
    package func run(_ options: ConfigOptions) throws -> Int32 {
        var reading = try SettingsSource(context).read(["serve"], path: options.file)
        if let resolved = reading.resolved, let failure = fileFailure(resolved.options) {
            reading.faults.append(SettingFault(path: nil, line: nil, message: failure.message.text))
        }
        switch options.action {
        case .check: return try check(reading, options)
        case .show: return try show(reading, options)
        }
    }

    /// The error in the files and addresses that the settings name.
    private func fileFailure(_ options: ServeOptions) -> Failure? {
        do throws(Failure) {
            try ServeCommand(context).check(options)
            return nil
        } catch {
            return error
        }
    }

    private func check(_ reading: SettingsSource.Reading, _ options: ConfigOptions) throws -> Int32 {
        for fault in reading.faults { try report(fault, options) }
        if !reading.faults.isEmpty { return Failure.invalidSettings }
        if options.json { return 0 }
        let count = reading.resolved?.settings.count { $0.origin != .standard } ?? 0
        let rules = reading.permissionRules.rules.count
        let settings =
            counted(count, "setting") + (rules == 0 ? "" : ", \(counted(rules, "permission rule"))")
        guard let path = reading.path else {
            let expected = try context.home.settings
            try Console.print("No errors: \(settings), and no file \(expected).")
            return 0
        }
        try Console.print("\(path): no errors, \(settings).")
        return 0
    }

    private func report(_ fault: SettingFault, _ options: ConfigOptions) throws {
        guard options.json else { return Console.report("Error: \(fault.description)") }
        try Console.printRecord(
            JSONWriter.object { writer in
                writer.member("path", ifPresent: fault.path)
                writer.member("line", ifPresent: fault.line)
                writer.member("message", fault.message)
            })
    }

    private func show(_ reading: SettingsSource.Reading, _ options: ConfigOptions) throws -> Int32 {
        guard let resolved = reading.resolved else {
            for fault in reading.faults { Console.report("Error: \(fault.description)") }
            return Failure.invalidSettings
        }
        for fault in reading.faults { Console.report("Warning: \(fault.description)") }
        for setting in resolved.unused { Console.report("Warning: \(setting.description).") }
        if options.json {
            for setting in resolved.settings { try Console.printRecord(setting.json) }
            for (index, rule) in reading.permissionRules.rules.enumerated() {
                try Console.printRecord(rule.json(number: index + 1, path: reading.path))
            }
            return 0
        }
        var table = Table(header: ["SETTING", "VALUE", "FROM"])
        table.rows = resolved.settings.map { [$0.name, $0.valueText, $0.originText] }
        table.rows += reading.permissionRules.rules.enumerated().map { index, rule in
            ["permission-rules \(index + 1)", rule.valueText, reading.path ?? ""]
        }
        try Console.print(table.text())
        if resolved.options.listen == nil, context.variables["ACPBRIDGE_HOME"]?.isEmpty == false {
            Console.report(
                "With ACPBRIDGE_HOME, a bridge that a command or an editor starts listens on a free port instead.")
        }
        return 0
    }
}

extension Setting {
    /// The setting's description in the command line's table.
    private var standardText: String? { ServeSettings.all.first { $0.name == name }?.defaultText }
    private var isFlag: Bool { ServeSettings.all.first { $0.name == name }?.valueName == nil }

    fileprivate var valueText: String {
        texts.isEmpty ? standardText ?? (isFlag ? "false" : "-") : shownTexts.joined(separator: ", ")
    }

    /// The texts without passwords.
    private var shownTexts: [String] {
        let isSecret = ServeSettings.all.first { $0.name == name }?.isSecret == true
        return isSecret ? texts.map { HubAddress(argument: $0)?.masked ?? "***" } : texts
    }

    fileprivate var originText: String {
        switch origin {
        case .standard: "default"
        case .file(let path, let line): "\(path):\(line)"
        case .environment(let variable): variable
        case .commandLine: "command line"
        }
    }

    /// `{"name":"limit","values":["connections=100"],"default":"…","from":"file","path":"…","line":3}`
    fileprivate var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("name", name)
            writer.memberArray("values") { writer in for text in shownTexts { writer.element(text) } }
            writer.member("default", ifPresent: isFlag ? "false" : standardText)
            switch origin {
            case .standard: writer.member("from", "default")
            case .commandLine: writer.member("from", "command line")
            case .environment(let variable):
                writer.member("from", "environment")
                writer.member("variable", variable)
            case .file(let path, let line):
                writer.member("from", "file")
                writer.member("path", path)
                writer.member("line", line)
            }
        }
    }
}

extension PermissionRule {
    /// `allow, kind read, path ./**`
    fileprivate var valueText: String {
        let parts = [("agent", agents), ("kind", kinds), ("path", paths.map(\.text)), ("command", commandTexts)]
        let limits = parts.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: " | "))" }
        return ([action.rawValue] + limits + (condition == .always ? ["always"] : [])).joined(separator: ", ")
    }

    /// `{"name":"permission-rules","number":1,"rule":{"action":"allow",…},"from":"file","path":"…"}`
    fileprivate func json(number: Int, path: String?) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("name", "permission-rules")
            writer.member("number", number)
            writer.memberObject("rule") { writer in
                writer.member("action", action.rawValue)
                writer.member("when", condition.rawValue)
                for (name, texts) in [
                    ("agent", agents), ("kind", kinds), ("path", paths.map(\.text)), ("command", commandTexts),
                ] where !texts.isEmpty {
                    writer.memberArray(name) { for text in texts { $0.element(text) } }
                }
            }
            writer.member("from", "file")
            writer.member("path", ifPresent: path)
        }
    }

    private var commandTexts: [String] { commands.map { $0.joined(separator: " ") } }
}
