import BridgeRequests
import CommandContext
import Glibc
import Invocations
import SessionOutput
import TerminalEditing
import TerminalIO

/// `acpbridge attach SESSION --take`: continues the session in this terminal.
struct TakeCommand {
    private let context: ProcessContext

    init(_ context: ProcessContext) { self.context = context }

    func run(_ options: AttachOptions) throws {
        guard TerminalInput.isAvailable else {
            throw Failure(message: "--take needs a terminal; in a script, use `acpbridge prompt`")
        }
        let folderName = FolderName(home: options.connection.url == nil ? context.variables["HOME"] : nil)
        try BridgeAccess(options.connection, context: context).withClient { client in
            guard
                let session = try await SessionChoice(client, folderName).session(options.session, isRunning: true)
            else { return }
            guard let role = try await client.role(), role >= .control else {
                throw Failure(
                    message: "your token can observe this session but not control it; omit --take to observe it")
            }
            let placed = try await client.placed(options, in: session)
            try await TerminalSessions(placed, folderName).run(client, session)
        }
    }
}
