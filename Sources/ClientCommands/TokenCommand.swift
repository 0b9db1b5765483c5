import Access
import BridgeRequests
import CommandContext
import EventLoop
import Invocations
import JSONScan
import Posix
import TerminalIO
import TerminalText
import Tinyvex

/// `acpbridge token`: sends the request to the bridge if one runs; otherwise changes the bridge's token file.
package struct TokenCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: TokenOptions) throws {
        do {
            switch options.action {
            case .create: try create(options)
            case .list: try list(options)
            case .revoke: try revoke(options)
            }
        } catch let rejection as Rejection {
            throw Failure(message: "\(rejection.message)")
        }
    }

    // MARK: Actions

    private func create(_ options: TokenOptions) throws {
        guard let role = options.role.flatMap({ Role(rawValue: $0.rawValue) }) else { return }
        let life = options.life?.components.seconds
        let order = try TokenOrder(role: role, name: options.name, lifeSeconds: life)
        let answer = try perform(options, "tokens:create") { writer in
            writer.member("role", role.rawValue)
            writer.member("name", ifPresent: options.name)
            writer.member("ttlSeconds", ifPresent: life)
        } onFile: { table throws(Rejection) in
            try table.issue(order).json()
        }
        if options.json { return try Console.printRecord(answer.rawText) }
        guard let text = answer["token"]?.stringValue, let id = answer["id"]?.stringValue else { return }
        // stdout holds only the token, so that the output can be used as a file for --token-file.
        try Console.print("\(text)")
        let end = answer["expiresTs"]?.int64Value.map { " until \(Timestamp.milliseconds($0))" } ?? ""
        Console.report("\(id) has the role \(role.rawValue)\(end). The token is not shown again.")
    }

    private func list(_ options: TokenOptions) throws {
        let answer = try perform(options, "tokens:list") { _ in
        } onFile: { table throws(Rejection) in
            JSONWriter.array { writer in
                for record in table.records { writer.object { record.writeFacts(to: &$0) } }
            }
        }
        if options.json {
            for row in answer.elements { try Console.printRecord(row.rawText) }
            return
        }
        guard !answer.elements.isEmpty else { return Console.report("No tokens.") }
        try Console.print(TokenTableView(rows: answer.elements, now: wallClockMilliseconds()).text)
    }

    private func revoke(_ options: TokenOptions) throws {
        guard let id = options.id else { return }
        let answer = try perform(options, "tokens:revoke") {
            $0.member("id", id)
        } onFile: { table throws(Rejection) in
            try table.revoke(id)
            return JSONWriter.object { $0.member("id", id) }
        }
        if options.json { return try Console.printRecord(answer.rawText) }
        let closed = answer["closedConnections"]?.int64Value ?? 0
        let effect = closed == 0 ? "" : "; \(counted(closed, "connection")) \(closed == 1 ? "was" : "were") closed"
        Console.report("\(id) is revoked\(effect).")
    }

    // MARK: With or without a bridge

    private func perform(
        _ options: TokenOptions, _ action: String, arguments: (inout JSONWriter) -> Void,
        onFile change: (inout TokenTable) throws(Rejection) -> [UInt8]
    ) throws -> JSONValue {
        if options.connection.url == nil {
            let home = try context.home
            try home.prepare()
            let edited = try TokenFile(home).edit(unless: { Self.isServed(home) }, change)
            if let edited { return try JSONValue(validating: edited.value) }
        }
        let arguments = JSONWriter.object(arguments)
        let answer = try BridgeAccess(options.connection, context: context).withClient {
            try await $0.action(action, args: arguments)
        }
        guard let value = answer else { throw Failure(message: "the bridge's answer has no value") }
        return value
    }

    /// True if a bridge listens on the socket, even if it is too busy to answer.
    private static func isServed(_ home: Home) -> Bool { (try? Sockets.connect(to: .unix(path: home.socket))) != nil }
}

/// A human-readable table of the tokens.
private struct TokenTableView {
    let rows: [JSONValue]
    let now: Int64

    var text: TerminalText {
        var table = Table(header: ["TOKEN", "ROLE", "NAME", "CREATED", "EXPIRES", "CONNECTIONS"])
        table.rows = rows.map { row in
            [
                row["id"]?.stringValue ?? "-", row["role"]?.stringValue ?? "-",
                Table.cell(row["name"]?.stringValue ?? "-", limit: 30),
                row["createdTs"]?.int64Value.map { Dates.ago(milliseconds: now - $0) } ?? "-",
                row["expiresTs"]?.int64Value.map(expiry) ?? "never", row["connections"]?.rawString ?? "-",
            ]
        }
        return table.text(columns: Console.columns(1), yielding: 2)
    }

    private func expiry(_ time: Int64) -> String { time <= now ? "expired" : Timestamp.milliseconds(time) }
}
