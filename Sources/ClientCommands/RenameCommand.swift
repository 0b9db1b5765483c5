import BridgeRequests
import CommandContext
import Invocations

/// `acpbridge rename SESSION TITLE`: gives a session a title, or its agent's own again.
package struct RenameCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: RenameOptions) throws {
        try BridgeAccess(options.connection, context: context).withClient(starting: true) { client in
            try await client.setTitle(options.title?.text, of: client.session(options.session))
        }
    }
}

extension CommandClient {
    /// - Parameter title: At most 1 KiB; nil for the agent's own title.
    func setTitle(_ title: String?, of session: ListedSession) async throws(BridgeFailure) {
        try await mutation("sessions:setTitle", args: session.params { $0.member("title", ifPresent: title) })
    }
}
