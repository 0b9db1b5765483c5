import BridgeRequests
import CommandContext
import Invocations
import TerminalIO

/// `acpbridge rename SESSION TITLE`: gives a session a title, or its agent's own again.
package struct RenameCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: RenameOptions) throws {
        try BridgeAccess(options.connection, context: context).withClient(starting: true) { client in
            let session = try await client.session(options.session)
            try await client.setTitle(options.title?.text, of: session)
            let id = Table.cell(session.id)
            Console.reportDone(
                options.title.map { "\(id) is now named '\($0.text)'." } ?? "\(id) has its agent's own title again.")
        }
    }
}

extension CommandClient {
    /// - Parameter title: At most 1 KiB; nil for the agent's own title.
    func setTitle(_ title: String?, of session: ListedSession) async throws(BridgeFailure) {
        try await mutation("sessions:setTitle", args: session.params { $0.member("title", ifPresent: title) })
    }
}
