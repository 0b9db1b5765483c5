import BridgeRequests
import CommandContext
import Invocations
import TerminalIO

/// `acpbridge archive SESSION...`: leaves sessions out of lists, or lists them again.
package struct ArchiveCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: ArchiveOptions) throws {
        try BridgeAccess(options.connection, context: context).withClient(starting: true) { client in
            // All names must be right before anything is changed.
            var sessions: [ListedSession] = []
            for name in options.sessions { sessions.append(try await client.session(name)) }
            for session in sessions {
                try await client.mutation(
                    "sessions:archive", args: session.params { $0.member("archived", !options.undo) })
                let effect =
                    options.undo ? "is in lists again" : "is archived; `acpbridge sessions --archived` lists it"
                Console.reportDone("\(Table.cell(session.id)) \(effect).")
            }
        }
    }
}
