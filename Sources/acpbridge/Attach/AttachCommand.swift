import CLI
import Glibc
import JSONScan
import TinyvexSync

/// `acpbridge attach SESSION`: prints the session's updates on stdout, one per line, as the agent wrote them.
///
/// After a lost connection the command reconnects and resumes at the same position. No line is printed twice or left
/// out.
struct AttachCommand {
    private let machine: Machine

    init(_ machine: Machine) { self.machine = machine }

    func run(_ options: AttachOptions) throws {
        if options.take { return try TakeCommand(machine).run(options) }
        try BridgeAccess(options.connection, machine: machine).ask(starting: true) { client in
            let session = try await client.session(options.session)
            Self.sayIfNothingFollows(session, options)
            var following = AttachRequest(session: session, options: options).following(client)
            if options.pretty, options.follow,
                let dialogs = try await TerminalDialogs.here(client, session, following.output)
            {
                following.observe = { try dialogs.note($0) }
            }
            try await following.run()
        }
    }

    /// A user who asks for `latest` most likely expects a running session.
    private static func sayIfNothingFollows(_ session: ListedSession, _ options: AttachOptions) {
        guard options.session == "latest", options.follow, !session.isLive, Console.isTerminal(STDERR_FILENO) else {
            return
        }
        Console.say("acpbridge: the latest session, \(Table.cell(session.id)), has ended; this is what is stored of it")
    }
}
