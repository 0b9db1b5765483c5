import BridgeRequests
import CommandContext
import Invocations
import TerminalIO
import TerminalText

/// `acpbridge cancel SESSION`: cancels the session's turn, or discards the prompts that wait for its end. If there is nothing to
/// cancel, it reports that, which is not an error.
package struct CancelCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: CancelOptions) throws {
        try BridgeAccess(options.connection, context: context).withRunningSession(options.session) { client, session in
            guard options.queued else {
                _ = try await client.action("sessions:cancel", args: session.arguments())
                // The list of another bridge's sessions can be some seconds old.
                if session.state == "idle", session.bridge == nil { return Console.report("No turn was running") }
                return Console.reportDone("The agent was asked to cancel its turn.")
            }
            // The last first: if the turn ends meanwhile, the agent gets as few of them as possible.
            var discarded = 0
            for prompt in try await client.waitingPrompts(of: session).reversed()
            where try await client.discard(prompt, of: session) {
                discarded += 1
            }
            Console.report(
                discarded == 0 ? "No prompt was waiting" : "\(counted(discarded, "prompt")) discarded")
        }
    }
}
