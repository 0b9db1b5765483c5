import BridgeRequests
import CommandContext
import Glibc
import Invocations
import Posix
import TerminalIO
import TerminalText

/// `acpbridge delete SESSION...`: deletes sessions that have ended.
package struct DeleteCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    /// Returns the exit status: 1 if the person did not confirm.
    ///
    /// - Throws: ``Failure`` if a session was not deleted. The others are deleted even so.
    package func run(_ options: DeleteOptions) throws -> Int32 {
        let access = try BridgeAccess(options.connection, context: context)
        let sessions = try access.withClient(starting: true) { client in
            try await Self.find(options.sessions, client)
        }
        guard try options.yes || confirms(sessions) else {
            Console.report("Nothing was deleted.")
            return 1
        }
        try access.withClient { client in try await Self.delete(sessions, client) }
        return 0
    }

    /// Deletes all that can be deleted: a session can have come to life since it was looked up.
    private static func delete(_ sessions: [ListedSession], _ client: CommandClient) async throws {
        var reasons: [TerminalText] = []
        for session in sessions {
            do throws(BridgeFailure) {
                try await client.mutation("sessions:delete", args: session.params)
            } catch {
                // The next session needs the connection, too.
                guard sessions.count > 1, case .server = error.error else { throw error }
                reasons.append("'\(Table.cell(session.id))': \(error)")
            }
        }
        guard !reasons.isEmpty else { return }
        let verb: TerminalText = reasons.count == 1 ? "was" : "were"
        throw Failure(
            message: "\(reasons.count) of \(sessions.count) sessions \(verb) not deleted: "
                + reasons.joined(separator: "; "))
    }

    /// All names must be right before anything is deleted.
    private static func find(_ names: [String], _ client: CommandClient) async throws -> [ListedSession] {
        var found: [ListedSession] = []
        for name in names {
            let session = try await client.session(name)
            guard !session.isLive else {
                let id = Table.cell(session.id)
                throw Failure(
                    message: "session '\(id)' is running; `acpbridge stop \(id)` ends its agent. Nothing was deleted")
            }
            if !found.contains(where: { $0.params == session.params }) { found.append(session) }
        }
        return found
    }

    private func confirms(_ sessions: [ListedSession]) throws(Failure) -> Bool {
        guard Console.canAsk else {
            throw Failure(
                message: "nothing was deleted, because there is no terminal to ask on: use --yes",
                status: Failure.wrongUsage)
        }
        var table = Table(header: ["SESSION", "AGENT", "TITLE", "UPDATES", "WHEN"])
        let now = wallClockMilliseconds()
        table.rows = sessions.map { session in
            [
                Table.cell(session.id), Table.cell(session.agent, limit: 24), Table.cell(session.title, limit: 40),
                String(session.updateCount), Dates.ago(milliseconds: now - session.lastTime),
            ]
        }
        Console.reportWhole(table.text(columns: Console.columns(STDERR_FILENO), ids: 0, yielding: 2))
        return Console.confirms(
            "Delete \(sessions.count == 1 ? "it" : "them")? Type y to delete, anything else to keep:")
    }
}
