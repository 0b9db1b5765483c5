import BridgeRequests
import CommandContext
import Glibc
import Invocations
import JSONScan
import Posix
import TerminalIO
import Tinyvex

/// `acpbridge usage`: prints the tokens and the cost of sessions, and their sums.
package struct UsageCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    /// The last active sessions. Each one is a row of the table in memory.
    private static let sessionLimit = 10_000

    package func run(_ options: UsageOptions) throws {
        let access = try BridgeAccess(options.connection, context: context)
        let now = wallClockMilliseconds()
        let start = options.since.map { now - $0.wholeMilliseconds } ?? .min
        if options.grouping == .day { return try showDays(access, options, since: start, now: now) }
        let (sessions, isCut) = try access.withClient(starting: true) { client in
            try await Self.usage(client, since: start)
        }
        if isCut { Console.report("acpbridge: only the last \(Self.sessionLimit) sessions are counted") }
        // The sums of a chosen kind are printed alone.
        let listed = options.grouping == nil ? sessions : []
        let sums = UsageSum.sums(sessions, by: options.grouping ?? .agent)
        try Self.show(listed, sums, options, now: now)
    }

    private static func show(
        _ listed: [SessionUsage], _ sums: [UsageSum], _ options: UsageOptions, now: Int64
    ) throws {
        if options.json {
            for session in listed { try Console.printRecord(session.json()) }
            for sum in sums { try Console.printRecord(sum.json()) }
        } else if listed.isEmpty && sums.isEmpty {
            let time = options.since == nil ? "" : " in this time"
            Console.report("No session has reported its usage\(time). Not every agent reports it.")
        } else {
            try print(listed, sums, options.grouping ?? .agent, now: now)
        }
    }

    // MARK: Days

    /// - Parameter start: Milliseconds since 1970.
    private func showDays(_ access: BridgeAccess, _ options: UsageOptions, since start: Int64, now: Int64) throws {
        let starts = Dates.dayStarts(from: max(0, start), to: now, limit: UsageByDayRequest.dayLimit)
        let value = try access.withClient(starting: true) { client in
            try await client.value("usage:byDay") { writer in
                writer.memberArray("starts") { for start in starts { $0.element(start) } }
            }.detached()
        }
        for unread in value["unread"]?.elements ?? [] {
            let (bridge, reason) = (unread["bridge"]?.stringValue ?? "", unread["reason"]?.stringValue ?? "")
            Console.report("acpbridge: the sessions of \(bridge) are not counted: \(reason)")
        }
        if value["isPart"]?.boolValue == true { Console.report("acpbridge: the oldest days are not counted") }
        if options.since != nil, let first = starts.first, first > start {
            Console.report("acpbridge: only the last \(UsageByDayRequest.dayLimit) days are counted")
        }
        let sums = UsageSum.days(value) { Dates.day(milliseconds: $0) }
        try Self.show([], sums, options, now: now)
    }

    private static func print(
        _ sessions: [SessionUsage], _ sums: [UsageSum], _ grouping: UsageOptions.Grouping, now: Int64
    ) throws {
        let columns = Console.columns(STDOUT_FILENO)
        if !sessions.isEmpty {
            try Console.print(Self.table(sessions, now: now).text(columns: columns, ids: 0, yielding: 2))
            try Console.print("")
        }
        try Console.print(Self.table(sums, grouping, now: now).text(columns: columns, yielding: 0))
    }

    /// - Parameter start: Milliseconds since 1970.
    private static func usage(
        _ client: CommandClient, since start: Int64
    ) async throws -> (sessions: [SessionUsage], isCut: Bool) {
        var listed: [ListedSession] = []
        // The sessions arrive in the order of their last activity.
        try await client.eachSession { page in
            listed += page.filter { $0.lastTime >= start }.prefix(sessionLimit + 1 - listed.count)
            return listed.count <= sessionLimit && page.last.map { $0.lastTime >= start } ?? true
        }
        var sessions: [SessionUsage] = []
        for session in listed.prefix(sessionLimit) {
            var row: JSONValue? = try JSONValue(validating: session.row)
            if row.map({ Self.lacksUsage($0, of: session) }) ?? true { row = try await value(of: session, client) }
            if let usage = row.flatMap(SessionUsage.init) { sessions.append(usage) }
        }
        return (sessions, listed.count > sessionLimit)
    }

    /// True for rows whose usage is in the session's updates only: those of a hub and of imported sessions, and of
    /// sessions whose last turn was interrupted.
    private static func lacksUsage(_ row: JSONValue, of session: ListedSession) -> Bool {
        guard row["usage"] != nil else { return row["updateCount"]?.int64Value != 0 }
        return session.isInterrupted
    }

    /// Returns nil if the session has been deleted since it was listed.
    private static func value(of session: ListedSession, _ client: CommandClient) async throws -> JSONValue? {
        do throws(BridgeFailure) {
            return try await client.details(of: session)
        } catch {
            if case .server(let code, _, _) = error.error, code == TinyvexErrorCode.sessionNotFound.rawValue {
                return nil
            }
            throw error
        }
    }

    private static func table(_ sessions: [SessionUsage], now: Int64) -> Table {
        let hasBridges = sessions.contains { $0.bridge != nil }
        let bridges = hasBridges ? ["BRIDGE"] : []
        var table = Table(header: ["SESSION", "AGENT", "TITLE", "CONTEXT", "CONSUMED", "COST", "WHEN"] + bridges)
        table.rows = sessions.map { session in
            let used = session.used.map { used in session.size.map { "\(used) of \($0)" } ?? "\(used)" }
            return [
                Table.cell(session.sessionId), Table.cell(session.agent, limit: 24),
                Table.cell(session.title, limit: 40), used ?? "-",
                session.tokens.map { "\($0.total)" } ?? "-", Table.cell(session.cost?.text ?? "-", limit: 40),
                Dates.ago(milliseconds: now - session.lastTs),
            ] + (hasBridges ? [Table.cell(session.bridge ?? "", limit: 24)] : [])
        }
        return table
    }

    private static func table(_ sums: [UsageSum], _ grouping: UsageOptions.Grouping, now: Int64) -> Table {
        let isByAgent = grouping == .agent
        // The context is of a session, and not of a day.
        let contexts = grouping == .day ? [] : ["CONTEXT"]
        let limits = isByAgent ? ["RATE LIMIT"] : []
        var table = Table(
            header: [grouping.rawValue.uppercased(), "SESSIONS"] + contexts + ["CONSUMED", "COST"] + limits)
        table.rows = sums.map { sum in
            let limit = sum.rateLimit?.text(now: now) ?? "-"
            return [Table.cell(sum.name ?? "-", limit: grouping == .folder ? 120 : 24), String(sum.sessions)]
                + (contexts.isEmpty ? [] : [String(sum.used)])
                + [sum.tokens.total > 0 ? String(sum.tokens.total) : "-", Table.cell(sum.costText, limit: 120)]
                + (isByAgent ? [Table.cell(limit, limit: 120)] : [])
        }
        return table
    }
}
