import BridgeRequests
import CommandContext
import Hub
import Invocations
import JSONScan
import Posix
import Postgres
import TerminalIO

/// `acpbridge hub`: creates, upgrades or shows the tables of a hub.
package struct HubCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: HubOptions) throws {
        let configured = try options.address ?? SettingsSource(context).valid(["serve"]).resolved.options.hub
        guard let configured else {
            throw Failure(
                message: "no hub is configured; use --hub, ACPBRIDGE_HUB or \"hub\" in the configuration file",
                status: Failure.wrongUsage)
        }
        do throws(HubError) {
            let address = try Self.address(configured)
            switch options.action {
            case .initialize: try initialize(try HubDatabase(address), address)
            case .migrate: try migrate(try HubDatabase(address), address)
            case .status:
                try show(try HubDatabase.open(address).bridges(), options)
                if !options.json { reportOwnBridge() }
            case .retain:
                guard let age = options.age else { return }
                try HubRetention(try HubDatabase.open(address), options).run(age)
            }
        } catch {
            throw Failure(message: "\(error)")
        }
    }

    static func address(_ address: HubAddress) throws(HubError) -> PostgresAddress {
        do throws(PostgresError) {
            return try PostgresAddress(address.text)
        } catch {
            throw .postgres(error)
        }
    }

    private func initialize(_ database: HubDatabase, _ address: PostgresAddress) throws(HubError) {
        if let found = try database.schemaVersion() {
            // The roles can be missing, if an earlier user could not create them.
            guard found <= HubSchema.version else { throw .schemaNewer(found: found) }
            guard found == HubSchema.version else { throw .schemaOlder(found: found) }
            try database.createRoles()
            return Console.report("\(address.place) has the tables already. The rights of its roles are set.")
        }
        try database.migrate(from: 0)
        try database.createRoles()
        Console.report(
            """
            \(address.place) is ready. Give the users of bridges that ship the role \(HubSchema.shipRole): \
            GRANT \(HubSchema.shipRole) TO USER
            """)
    }

    private func migrate(_ database: HubDatabase, _ address: PostgresAddress) throws(HubError) {
        guard let found = try database.schemaVersion() else { throw .schemaMissing }
        guard found <= HubSchema.version else { throw .schemaNewer(found: found) }
        if found < HubSchema.version { try database.migrate(from: found) }
        try database.createRoles()
        Console.report("\(address.place) has schema version \(HubSchema.version).")
    }

    private func show(_ bridges: [HubBridge], _ options: HubOptions) throws(HubError) {
        do {
            if options.json {
                for bridge in bridges { try Console.printRecord(bridge.json) }
                return
            }
            guard !bridges.isEmpty else { return Console.report("No bridge has shipped to this hub yet.") }
            var table = Table(header: ["BRIDGE", "LOG", "VERSION", "STATE", "COMMANDS", "SESSIONS", "LIVE"])
            table.rows = bridges.map(Self.cells)
            try Console.print(table.text())
        } catch {
            // Only the output can fail here; its reader has closed it.
            Console.report("Error: \(error)")
        }
    }

    /// Reports how the user's own bridge uses its hub. Without a running bridge, nothing is reported.
    private func reportOwnBridge() {
        // A bridge that does not answer is no reason to fail: the command is about the database.
        guard let access = try? BridgeAccess(ConnectionOptions(), context: context),
            let status = try? access.runningBridge(until: .now + Self.ownBridgeLimit)
        else { return }
        for line in HubFigures.lines(status, now: wallClockMilliseconds()) { Console.report("\(line)") }
    }

    private static let ownBridgeLimit = Duration.seconds(5)

    private static func cells(_ bridge: HubBridge) -> [String] {
        let state =
            bridge.isReachable ? "connected" : "lease ended \(Dates.ago(milliseconds: bridge.awayMilliseconds))"
        return [
            Table.cell(bridge.name), bridge.logText, Table.cell(bridge.version), state, Table.cell(bridge.commands),
            String(bridge.sessions),
            String(bridge.liveSessions),
        ]
    }
}

extension HubBridge {
    /// `{"name":"alpha","logId":"9f03c2aa","version":"0.2.0","reachable":true,"commands":"none","sessions":12,"liveSessions":1}`
    fileprivate var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("name", name)
            writer.member("logId", logText)
            writer.member("version", version)
            writer.member("reachable", isReachable)
            if !isReachable { writer.member("awayMilliseconds", awayMilliseconds) }
            writer.member("commands", commands)
            writer.member("sessions", sessions)
            writer.member("liveSessions", liveSessions)
        }
    }
}
