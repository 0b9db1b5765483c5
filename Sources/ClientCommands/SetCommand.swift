import BridgeRequests
import CommandContext
import Glibc
import Invocations
import JSONScan
import TerminalIO
import TerminalText

/// `acpbridge set SESSION`: lists the settings of a session, and changes one.
package struct SetCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: SetOptions) throws {
        try BridgeAccess(options.connection, context: context).withRunningSession(options.session) { client, session in
            if let bridge = session.bridge {
                throw Failure(message: "the session is on the bridge '\(bridge)'; change it there")
            }
            let value = try await client.details(of: session)
            let settings = AgentSetting.all(of: value)
            guard let name = options.setting else { return try Self.list(settings, json: options.json) }
            let setting = try Self.setting(name, in: settings)
            guard let text = options.value else { return try Self.list(setting, json: options.json) }
            let choice = try Self.choice(text, of: setting)
            try await Self.change(setting, to: choice, of: session, client)
        }
    }

    /// Returns when the agent has the new value. An agent can take as long as it wants.
    private static func change(
        _ setting: AgentSetting, to choice: AgentSetting.Choice, of session: ListedSession, _ client: CommandClient
    ) async throws {
        let answer = try await Waiting.show("Waiting for the agent; Ctrl-C stops waiting") {
            try await client.call(setting.method.name) { writer in
                session.writeACP(to: &writer)
                setting.write(choice, to: &writer)
            }
        }
        guard let value = setting.otherValue(than: choice, in: answer) else {
            return Console.reportDone("'\(setting.id)' is now '\(choice.value)'.")
        }
        throw Failure(
            message: value == setting.value
                ? "'\(setting.id)' was not changed: the agent kept '\(value)'"
                : "the agent changed '\(setting.id)' to '\(value)' instead")
    }

    private static func setting(_ name: String, in settings: [AgentSetting]) throws(Failure) -> AgentSetting {
        let named = AgentSetting.named(name, in: settings)
        if named.count == 1 { return named[0] }
        guard named.isEmpty else {
            throw Failure(
                message: "several settings are named '\(name)'; use an id: \(names(named.map(\.id)))",
                status: Failure.wrongUsage)
        }
        throw Failure(
            message: settings.isEmpty
                ? "the agent has no settings that can be changed"
                : "the session has no setting '\(name)'; it has: \(names(settings.map(\.id)))",
            status: Failure.wrongUsage)
    }

    private static func choice(_ text: String, of setting: AgentSetting) throws(Failure) -> AgentSetting.Choice {
        if let choice = setting.choice(text) { return choice }
        throw Failure(
            message: "'\(setting.id)' cannot be '\(text)'; choose one of: \(names(setting.choices.map(\.label)))",
            status: Failure.wrongUsage)
    }

    private static func names(_ names: [String]) -> TerminalText { "\(names.joined(separator: ", "))" }

    // MARK: Lists

    private static func list(_ settings: [AgentSetting], json: Bool) throws {
        if json { return try settings.forEach(printRecord) }
        guard !settings.isEmpty else { return Console.report("The agent has no settings that can be changed.") }
        var table = Table(header: ["SETTING", "VALUE", "CHOICES"])
        table.rows = settings.map { setting in
            let choices = setting.choices.map(\.value).joined(separator: ", ")
            return [Table.cell(setting.id), Table.cell(setting.value), Table.cell(choices)]
        }
        try Console.print(table.text(columns: Console.columns(STDOUT_FILENO), yielding: 2))
    }

    private static func list(_ setting: AgentSetting, json: Bool) throws {
        if json { return try printRecord(setting) }
        var table = Table(header: ["", "VALUE", "NAME", "DESCRIPTION"])
        table.rows = setting.choices.map { choice in
            [
                choice.value == setting.value ? "*" : "", Table.cell(choice.value), Table.cell(choice.name),
                Table.cell(choice.description ?? ""),
            ]
        }
        try Console.print(table.text(columns: Console.columns(STDOUT_FILENO), yielding: 3))
    }

    private static func printRecord(_ setting: AgentSetting) throws {
        try Console.printRecord(JSONWriter.object { setting.writeRow(to: &$0) })
    }
}
