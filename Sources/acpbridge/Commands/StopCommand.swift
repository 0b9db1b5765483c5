import Bridge
import CLI
import CShims
import EventLoop
import Glibc
import TinyvexSync

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
        let daemon = options.url == nil ? DaemonProcess(peerOf: connection.fd) : nil
        do throws(ClientError) {
            _ = try connection.call("tinyvex/action") { writer in
                writer.member("requestId", "stop")
                writer.member("name", "bridge:stop")
            }
            while true { _ = try connection.receive() }
        } catch {
            guard error.isEndOfConnection else { throw error }
            daemon?.waitForEnd()
        }
    }
}

/// This very daemon: another may be started before it has ended.
private struct DaemonProcess: ~Copyable {
    private let descriptor: Descriptor

    init?(peerOf socket: Int32) {
        guard let pid = Sockets.peerProcess(of: socket) else { return nil }
        let fd = cshims_pidfd_open(pid)
        guard fd >= 0 else { return nil }
        descriptor = Descriptor(owning: fd)
    }

    func waitForEnd() {
        var wait = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
        while poll(&wait, 1, -1) < 0, errno == EINTR {}
    }
}
