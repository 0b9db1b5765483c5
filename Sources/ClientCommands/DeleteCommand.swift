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

    package func run(_ options: DeleteOptions) throws {
        let access = try BridgeAccess(options.connection, context: context)
        let sessions = try access.withClient(starting: true) { client in
            try await Self.find(options.sessions, client)
        }
        guard try options.yes || confirms(sessions) else { return Console.report("Nothing was deleted.") }
        try access.withClient { client in
            for session in sessions { try await client.mutation("sessions:delete", args: session.params) }
        }
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
        Console.reportWhole(table.text(columns: Console.columns(STDERR_FILENO), yielding: 2))
        return Console.confirms(
            "Delete \(sessions.count == 1 ? "it" : "them")? Type y to delete, anything else to keep:")
    }
}
