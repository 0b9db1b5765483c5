import BridgeRequests
import Posix
import SessionOutput
import Synchronization
import TerminalIO

/// Names the command that answers the agent's questions, for a turn whose output or input is not a terminal. Without it,
/// the command would wait in silence.
package final class QuestionNotice: Sendable {
    private let pending = Mutex(PendingQuestions())
    private let client: CommandClient
    private let session: ListedSession
    private let output: AttachOutput
    private let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    /// A rule or an editor often answers in less.
    private static let patience = Duration.seconds(2)

    package init(_ client: CommandClient, _ session: ListedSession, _ output: AttachOutput) {
        self.client = client
        self.session = session
        self.output = output
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Call with the entries that have been shown.
    package func note(_ entries: [TimelineValue]) {
        // Only that turn's questions.
        guard output.turn?.hasBegun != false else { return }
        let hasChanged = pending.withLock { pending in
            let before = pending.first?.requestId
            for entry in entries { pending.note(entry) }
            return pending.first?.requestId != before
        }
        if hasChanged { change.yield() }
    }

    /// Prints a line for a question that is still unanswered after 2 s, if no earlier one waits. Never returns before the
    /// task is cancelled.
    package func run() async throws {
        var told: [UInt8]?
        for await _ in changes {
            await client.loop.sleep(until: .now + Self.patience)
            let first = pending.withLock { $0.first?.requestId }
            // An agent can use an id again after the answer.
            defer { told = first }
            guard first != nil, first != told, !Task.isCancelled else { continue }
            try output.report(
                "acpbridge: the agent waits for an answer; `acpbridge answer \(Table.cell(session.id))` shows its request"
            )
        }
    }
}
