import BridgeRequests
import CommandContext
import Glibc
import Invocations
import JSONScan
import TerminalIO
import TerminalText

/// `acpbridge status`: prints the bridge's status; exits with 1 if no bridge runs.
package struct StatusCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: ReportOptions) throws {
        let access = try BridgeAccess(options.connection, context: context)
        let status: JSONValue
        do {
            status = try access.withClient { try await $0.value("bridge:status") }
        } catch let failure as BridgeFailure where failure.isUnreachable && options.connection.url == nil {
            throw Failure(
                message:
                    """
                    no bridge is running on \(try context.home.socket); the next editor or command that needs one, such as \
                    `acpbridge sessions` or `acpbridge attach`, starts it
                    """
            )
        }
        if options.json { return try Console.printRecord(status.rawText) }
        try Console.print(Self.page(status))
    }

    static func page(_ status: JSONValue) -> TerminalText {
        func text(_ name: String) -> String { status[name].map { $0.stringValue ?? $0.rawString } ?? "-" }
        func number(_ name: String, of noun: String) -> String {
            status[name]?.int64Value.map { counted($0, noun) } ?? "- \(noun)s"
        }
        let urls = (status["urls"]?.elements ?? []).compactMap(\.stringValue)
        let mebibytes = Double(status["residentBytes"]?.int64Value ?? 0) / 1_048_576
        let readers =
            "\(number("subscriptions", of: "subscription")), \(number("connections", of: "connection")) including this one"
        let work = [
            number("runningTurns", of: "running turn"), number("backgroundItems", of: "background item"),
            number("childSessions", of: "subagent"), number("pendingRequests", of: "pending request"),
        ].joined(separator: ", ")
        var rows = [
            ["bridge", "acpbridge \(text("version")), process \(text("pid")), up \(uptime(status))"],
            ["socket", text("socket")],
            ["urls", urls.isEmpty ? "none" : urls.joined(separator: ", ")],
            ["public url", text("publicUrl")],
            ["log", "\(text("log")) (durability \(text("durability")))"],
            ["search", status["search"].map(SearchCommand.note) ?? "-"],
            ["agents", "\(text("agents")) running, \(sessions(status))"],
            ["work", work],
            ["readers", readers],
            ["memory", "\((mebibytes * 10).rounded() / 10) MiB resident"],
        ]
        // An older bridge does not count it.
        if status["runningTurns"] == nil { rows.removeAll { $0[0] == "work" } }
        if status["publicUrl"] == nil { rows.removeAll { $0[0] == "public url" } }
        if let hub = status["hub"] { rows.append(["hub", "ships to \(self.hub(hub))"]) }
        if let reader = status["hubReader"] { rows.append(["hub", "reads from \(hub(reader))"]) }
        for peer in status["peers"]?.elements ?? [] { rows.append(["peer", self.peer(peer)]) }
        if let error = status["logError"]?.stringValue { rows.append(["log error", error]) }
        if let path = status["damagedLog"]?.stringValue {
            rows.append([
                "damaged log",
                "\(path): its readable part is in the current log; restore a backup, or delete the file if nothing is missing",
            ])
        }
        for warning in status["warnings"]?.elements.compactMap(\.stringValue) ?? [] {
            rows.append(["warning", warning])
        }
        if text("unstoredLines") != "0" { rows.append(["not stored", "\(text("unstoredLines")) updates"]) }
        if text("unpublishedLines") != "0" {
            rows.append(["not published", "\(text("unpublishedLines")) lines of running agents"])
        }
        let columns = Console.columns(STDOUT_FILENO)
        let lines = rows.map { row -> TerminalText in
            "\(row[0])\(String(repeating: " ", count: 15 - row[0].count))"
                + WordWrap.text(row[1], indent: 15, columns: columns)
        }
        return lines.joined(separator: "\n")
    }

    /// The sessions with a running agent, as in the list of `acpbridge sessions`, and others that are not stored yet.
    private static func sessions(_ status: JSONValue) -> String {
        let ending = status["endingSessions"]?.int64Value ?? 0
        let running = max(0, (status["liveSessions"]?.int64Value ?? 0) &- ending)
        let sessions = counted(running, "live session")
        return ending > 0 ? "\(sessions); \(ending) ended, not yet stored" : sessions
    }

    /// `db.example/fleet: failed: PostgreSQL cannot be reached: …`
    private static func hub(_ hub: JSONValue) -> String {
        let state = "\(hub["place"]?.stringValue ?? "-"): \(hub["state"]?.stringValue ?? "-")"
        return hub["error"]?.stringValue.map { "\(state): \($0)" } ?? state
    }

    /// `laptop (wss://laptop.example/tinyvex): online, 12 sessions`
    private static func peer(_ peer: JSONValue) -> String {
        let name = "\(peer["name"]?.stringValue ?? "-") (\(peer["url"]?.stringValue ?? "-"))"
        let state = peer["error"]?.stringValue ?? peer["state"]?.stringValue ?? "-"
        return "\(name): \(state), \(peer["sessions"]?.int64Value ?? 0) sessions"
    }

    private static func uptime(_ status: JSONValue) -> String {
        let seconds = status["uptimeSeconds"]?.int64Value ?? 0
        let (days, hours, minutes) = (seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60)
        if days > 0 { return "\(days)d \(hours)h" }
        return hours > 0 ? "\(hours)h \(minutes)m" : minutes > 0 ? "\(minutes)m \(seconds % 60)s" : "\(seconds)s"
    }
}
