import BridgeRequests
import CommandContext
import Glibc
import Invocations
import JSONScan
import SessionOutput
import TerminalEditing
import TerminalIO

/// `acpbridge attach SESSION`: prints the session's updates on stdout, one per line, as the agent wrote them.
///
/// After a lost connection the command reconnects and resumes at the same position. No line is printed twice or left
/// out.
package struct AttachCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ written: AttachOptions) throws {
        let options = written.shown(onTerminal: Console.isTerminal(STDOUT_FILENO))
        for warning in options.kindWarnings { Console.report("acpbridge: \(warning)") }
        if options.take { return try TakeCommand(context).run(options) }
        try BridgeAccess(options.connection, context: context).withClient(starting: true) { client in
            let session = try await client.session(options.session)
            Self.reportIfNothingFollows(session, options)
            var following = AttachRequest(session: session, options: options).following(client)
            guard options.follow else {
                try await following.run()
                if session.isInterrupted {
                    Console.report("acpbridge: the session's bridge was killed, which ended it\(session.continuation)")
                }
                return
            }
            let dialogs =
                options.pretty ? try await TerminalDialogs.onTerminal(client, session, following.output) : nil
            if let dialogs {
                Console.report("acpbridge: you watch this session; --take also sends prompts. Ctrl-C exits")
                following.observe = { try dialogs.note($0) }
            }
            let others = SessionlessQuestions(client, session, following.output, dialogs)
            try await following.run(beside: session.isLive ? [{ try await others.run() }] : [])
            if options.pretty { session.reportEnd() }
        }
    }

    /// A user who asks for `latest` most likely expects a running session.
    private static func reportIfNothingFollows(_ session: ListedSession, _ options: AttachOptions) {
        guard options.session == "latest", options.follow, !session.isLive, Console.isTerminal(STDERR_FILENO) else {
            return
        }
        Console.report("acpbridge: the latest session, \(Table.cell(session.id)), has ended; its stored updates follow")
    }
}
