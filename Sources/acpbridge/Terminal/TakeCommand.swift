import CLI
import Glibc
import Tinyvex

/// `acpbridge attach SESSION --take`: continues the session in this terminal.
struct TakeCommand {
    private let machine: Machine

    init(_ machine: Machine) { self.machine = machine }

    func run(_ options: AttachOptions) throws {
        guard TerminalInput.isThere else {
            throw Failure(message: "--take needs a terminal; from a script, `acpbridge prompt` asks the agent")
        }
        try BridgeAccess(options.connection, machine: machine).ask { client in
            let session = try await client.runningSession(options.session)
            guard let role = try await client.role(), role >= .control else {
                throw Failure(message: "your token may watch this session, not drive it; leave out --take to watch")
            }
            try await TerminalFront(client, session, options, Interruptions()).run()
        }
    }
}
