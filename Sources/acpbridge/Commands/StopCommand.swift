import Bridge
import CLI
import TinyvexClient

/// `acpbridge stop`: ends the bridge and the agents it runs, and returns when it has gone.
struct StopCommand {
    private let machine: Machine

    init(_ machine: Machine) { self.machine = machine }

    func run(_ options: ConnectionOptions) throws {
        let access = try BridgeAccess(options, machine: machine)
        let connection: BridgeConnection
        do {
            connection = try access.connect(starting: false)
        } catch ClientError.unreachable where options.url == nil {
            return Console.say("No bridge is running.")
        }
        _ = try connection.call("tinyvex/action") { writer in
            writer.member("requestId", "stop")
            writer.member("name", "bridge:stop")
        }
        do {
            while true { _ = try connection.receive() }
        } catch ClientError.disconnected {
            if options.url == nil { waitUntilGone() }
        }
    }

    /// The daemon holds its lock to its very end.
    private func waitUntilGone() {
        if let lock = try? FileLock(path: machine.home.daemonLock, waiting: true) { lock.release() }
    }
}
