import CLI

/// `acpbridge cancel SESSION`: cancels the session's turn. Cancelling an idle session does nothing and is not an error.
struct CancelCommand {
    private let machine: Machine

    init(_ machine: Machine) { self.machine = machine }

    func run(_ options: CancelOptions) throws {
        try BridgeAccess(options.connection, machine: machine).ask { client in
            let session = try await client.runningSession(options.session)
            _ = try await client.action("sessions:cancel", args: session.arguments())
        }
    }
}
