import BridgeRequests
import CommandContext
import Glibc
import Invocations
import JSONScan
import Posix
import TerminalIO
import TerminalText
import Tinyvex

/// `acpbridge share`: makes, lists and revokes links to one session.
package struct ShareCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: ShareOptions) throws {
        let access = try BridgeAccess(options.connection, context: context)
        if options.list {
            try list(access, json: options.json)
        } else if let id = options.revoke {
            try revoke(id, access, json: options.json)
        } else if let name = options.session {
            try share(name, options, access)
        }
    }

    private func share(_ name: String, _ options: ShareOptions, _ access: BridgeAccess) throws {
        let (isControl, life, title) = (options.control, options.life?.components.seconds, options.name)
        // The address is found first, so that no link is made in vain.
        let status = try access.withClient(starting: true) { try await $0.value("bridge:status") }
        let address = try OpenCommand(context).address(
            OpenOptions(address: options.address, connection: options.connection), status, isForOthers: true)
        let answer = try access.withClient { client in
            let session = try await client.session(name)
            let args = session.params { writer in
                writer.member("role", isControl ? "control" : "observe")
                writer.member("ttlSeconds", ifPresent: life)
                writer.member("name", ifPresent: title)
            }
            return try await client.action("sessions:share", args: args)
        }
        guard let answer, let code = answer["code"]?.stringValue, let id = answer["id"]?.stringValue else {
            throw Failure(message: "the bridge's answer has no link")
        }
        let url = address.url(code: code)
        if options.json {
            let record = JSONWriter.object { writer in
                writer.member("url", url)
                for (name, value) in answer.members where name != "code" { writer.member(name, raw: value.rawText) }
            }
            return try Console.printRecord(record)
        }
        try Console.print("\(url)")
        let end = answer["expiresTs"]?.int64Value.map { " until \(Timestamp.milliseconds($0))" } ?? ""
        Console.report(
            "\(id) gives access to this session only\(end). The link can be opened once, within a day at most.")
        if address.isLoopback {
            Console.report("acpbridge: only this machine can open this address; see --address")
        }
    }

    private func list(_ access: BridgeAccess, json: Bool) throws {
        let tokens = try access.withClient(starting: true) { try await $0.action("tokens:list") }
        let links = (tokens?.elements ?? []).filter { $0["session"] != nil }
        if json {
            for link in links { try Console.printRecord(link.rawText) }
            return
        }
        guard !links.isEmpty else { return Console.report("No links.") }
        let now = wallClockMilliseconds()
        var table = Table(header: ["LINK", "SESSION", "AGENT", "ROLE", "NAME", "EXPIRES", "CONNECTIONS"])
        table.rows = links.map { link in
            [
                link["id"]?.stringValue ?? "-", Table.cell(link["session"]?["sessionId"]?.stringValue ?? "-"),
                Table.cell(link["session"]?["agent"]?.stringValue ?? "-", limit: 24),
                link["role"]?.stringValue ?? "-", Table.cell(link["name"]?.stringValue ?? "-", limit: 30),
                link["expiresTs"]?.int64Value.map { $0 <= now ? "expired" : Self.minute($0) } ?? "never",
                link["connections"]?.rawString ?? "-",
            ]
        }
        try Console.print(table.text(columns: Console.columns(STDOUT_FILENO), yielding: 1))
    }

    /// `2026-11-25T19:35Z`: a full time would leave too few columns for the session. `--json` has it.
    private static func minute(_ time: Int64) -> String { Timestamp.milliseconds(time).prefix(16) + "Z" }

    private func revoke(_ id: String, _ access: BridgeAccess, json: Bool) throws {
        let answer = try access.withClient(starting: true) { client in
            let tokens = try await client.action("tokens:list")
            let isLink = tokens?.elements.contains { $0["id"]?.stringValue == id && $0["session"] != nil } == true
            guard isLink else {
                throw Failure(message: "there is no link '\(Table.cell(id))'; `acpbridge share --list` lists the links")
            }
            return try await client.action("tokens:revoke", args: JSONWriter.object { $0.member("id", id) })
        }
        if json { return try Console.printRecord(answer?.rawText ?? []) }
        let closed = answer?["closedConnections"]?.int64Value ?? 0
        let effect = closed == 0 ? "" : "; \(counted(closed, "connection")) \(closed == 1 ? "was" : "were") closed"
        Console.report("\(id) is revoked\(effect).")
    }
}
