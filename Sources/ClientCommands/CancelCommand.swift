import BridgeRequests
import CommandContext
import Invocations

/// `acpbridge cancel SESSION`: cancels the session's turn. Cancelling an idle session does nothing and is not an error.
package struct CancelCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: CancelOptions) throws {
        try BridgeAccess(options.connection, context: context).withRunningSession(options.session) { client, session in
            _ = try await client.action("sessions:cancel", args: session.arguments())
        }
    }
}
