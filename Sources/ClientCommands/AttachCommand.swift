import BridgeRequests
import CommandContext
import Glibc
import Invocations
import JSONScan
import SessionOutput
import TerminalEditing
import TerminalIO
import TerminalText

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
        if options.hasSeveral { return try runSeveral(options) }
        let folderName = FolderName(home: options.connection.url == nil ? context.variables["HOME"] : nil)
        try BridgeAccess(options.connection, context: context).withClient(starting: true) { client in
            guard
                let session = try await SessionChoice(client, folderName).session(options.session, isRunning: false)
            else { return }
            client.isAbout(session.id)
            Self.reportIfNothingFollows(session, options)
            let placed = try await client.placed(options, in: session)
            var following = AttachRequest(session: session, options: placed).following(client)
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

    /// 900 sessions: a connection can have 1,000 subscriptions.
    private static let sessionLimit = 900

    private func runSeveral(_ options: AttachOptions) throws {
        try BridgeAccess(options.connection, context: context).withClient(starting: true) { client in
            var sessions: [ListedSession] = []
            for name in options.sessions {
                let session = try await client.session(name)
                if !sessions.contains(where: { $0.key == session.key && $0.journal == session.journal }) {
                    sessions.append(session)
                }
            }
            if options.running {
                sessions = try await client.runningSessions(limit: Self.sessionLimit).filter(\.canBeFollowed)
            }
            Self.report(sessions, options)
            try await FollowingSeveral(client, options, sessions).run()
        }
    }

    private static func report(_ sessions: [ListedSession], _ options: AttachOptions) {
        guard options.running ? options.follow : options.pretty, Console.isTerminal(STDERR_FILENO) else { return }
        if sessions.isEmpty {
            Console.report("acpbridge: no session is running; those that begin now are shown. Ctrl-C exits")
        } else if options.pretty, options.follow {
            Console.report(
                "acpbridge: you watch \(counted(sessions.count, "session")); 'acpbridge answer' answers their requests. Ctrl-C exits"
            )
        }
    }

    /// A user who asks for `latest` most likely expects a running session.
    private static func reportIfNothingFollows(_ session: ListedSession, _ options: AttachOptions) {
        guard options.session ?? "latest" == "latest", options.follow, !session.isLive,
            Console.isTerminal(STDERR_FILENO)
        else {
            return
        }
        Console.report("acpbridge: the latest session, \(Table.cell(session.id)), has ended; its stored updates follow")
    }
}
