import ArgumentParsing
import BridgeSettings
import CLI
import CommandContext
import PermissionRules
import Posix
import TerminalText

/// Reads the settings of a bridge: its configuration file, the environment and a command line.
struct SettingsSource {
    private let context: ProcessContext

    init(_ context: ProcessContext) { self.context = context }

    /// A file with all settings has a few KiB. A larger one is rejected, because it is most likely another file.
    private static let fileLimitBytes = 256 << 10

    private static let pathVariable = "ACPBRIDGE_CONFIG"

    /// The result of reading the settings. If there are errors, the settings are incomplete.
    struct Reading {
        /// The path of the configuration file; nil if there is none.
        var path: String?
        var resolved: ResolvedSettings?
        /// The file's rules.
        var permissionRules = PermissionRules()
        var faults: [SettingFault] = []
    }

    /// Returns the settings and rules for a bridge. The message of a failure has one line.
    ///
    /// - Parameter arguments: The command line, with `serve` as its first word.
    func valid(_ arguments: [String]) throws -> (resolved: ResolvedSettings, permissionRules: PermissionRules) {
        let reading = try read(arguments)
        if let resolved = reading.resolved { return (resolved, reading.permissionRules) }
        let first = reading.faults.first.map(\.description) ?? ""
        let others = reading.faults.count - 1
        throw Failure(
            message: """
                \(first)\(others > 0 ? " (\(others) more: `acpbridge config check` lists all)" : "")
                """,
            status: Failure.invalidSettings)
    }

    /// - Parameters:
    ///   - arguments: The command line, with `serve` as its first word.
    ///   - path: The configuration file, if it is not the one that the command line and the environment select.
    /// - Throws: `UsageError` for an option that does not exist or has an invalid value.
    func read(_ arguments: [String], path: String? = nil) throws -> Reading {
        let written = try ServeSettings.written(in: Array(arguments.dropFirst()))
        var reading = Reading()
        let chosen = path ?? written.last { $0.name == "config" }?.text
        let file = try file(chosen, &reading)
        let environment = SettingsEnvironment(context.variables, folder: try context.home.configuration)
        reading.permissionRules = file.permissionRules
        reading.faults += file.faults + environment.faults
        guard reading.faults.isEmpty else { return reading }
        do throws(SettingFault) {
            reading.resolved = try ResolvedSettings(
                written: written, environment: environment.settings, file: file.settings)
        } catch {
            reading.faults.append(error)
        }
        return reading
    }

    /// A file that was named must exist; the one in the configuration folder need not.
    private func file(_ chosen: String?, _ reading: inout Reading) throws(Failure) -> SettingsFile {
        let variable = context.variables[Self.pathVariable].flatMap { $0.isEmpty ? nil : $0 }
        if chosen == nil, let variable, !variable.hasPrefix("/") {
            reading.faults.append(
                SettingFault(path: Self.pathVariable, line: nil, message: "the path of the file must be absolute"))
            return SettingsFile()
        }
        let named = chosen.map { $0.hasPrefix("/") ? $0 : "\(context.directory.description)/\($0)" } ?? variable
        let home = try context.home
        let path = named ?? home.settings
        do throws(SystemError) {
            guard let bytes = try PrivateFile.read(path, limitBytes: Self.fileLimitBytes) else {
                if named != nil { reading.faults.append(Self.fault(path, "the file does not exist")) }
                return SettingsFile()
            }
            reading.path = path
            guard bytes.count < Self.fileLimitBytes else {
                reading.faults.append(Self.fault(path, "the file is larger than \(Self.fileLimitBytes >> 10) KiB"))
                return SettingsFile()
            }
            return SettingsFile(bytes, path: path, folder: Self.folder(of: path))
        } catch {
            reading.faults.append(Self.fault(path, "the file cannot be read: \(error.reason)"))
            return SettingsFile()
        }
    }

    private static func fault(_ path: String, _ message: String) -> SettingFault {
        SettingFault(path: path, line: nil, message: message)
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}
