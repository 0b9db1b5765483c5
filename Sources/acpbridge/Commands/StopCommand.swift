import Bridge
import CLI
import CShims
import EventLoop
import Glibc

/// `acpbridge stop`: ends the bridge and the agents it runs, or one agent, and returns when that has gone.
struct StopCommand {
    private let machine: Machine

    init(_ machine: Machine) { self.machine = machine }

    func run(_ options: StopOptions) throws {
        let access = try BridgeAccess(options.connection, machine: machine)
        let isOwn = options.connection.url == nil
        do {
            if let session = options.session { return try access.ask { try await Self.stopAgent(of: session, $0) } }
            let pid = try access.ask { try await $0.value("bridge:status")["pid"]?.int64Value }
            let daemon = isOwn ? pid.flatMap { DaemonProcess(pid: $0) } : nil
            try access.ask { try await Self.stop($0) }
            daemon?.waitForEnd()
        } catch let failure as BridgeFailure where failure.isUnreachable && isOwn {
            Console.say("No bridge is running.")
        }
    }

    /// Returns when the session has ended, for which an agent has 5 s.
    private static func stopAgent(of name: String, _ client: BridgeClient) async throws {
        let session = try await client.runningSession(name)
        var pieces = client.sync.stream(.sessionUpdates, params: session.params, from: .now).makeAsyncIterator()
        let agent = try await client.action("agents:stop", args: session.arguments())
        while let piece = try await pieces.next() {
            guard case .ended = piece else { continue }
            let pid = agent?["pid"]?.rawString ?? ""
            return Console.say("\(Table.cell(session.agent)) (process \(pid)) has ended.")
        }
    }

    /// Returns when the bridge has ended the connection, with its answer or without.
    private static func stop(_ client: BridgeClient) async throws {
        do throws(BridgeFailure) {
            _ = try await client.action("bridge:stop")
        } catch {
            guard error.isEndOfConnection else { throw error }
        }
        for await state in client.sync.connectionStates() where state != .connected { return }
    }
}

/// This very daemon: another may be started before it has ended.
private struct DaemonProcess: ~Copyable {
    private let descriptor: Descriptor

    init?(pid: Int64) {
        let fd = cshims_pidfd_open(pid_t(truncatingIfNeeded: pid))
        guard fd >= 0 else { return nil }
        descriptor = Descriptor(owning: fd)
    }

    func waitForEnd() {
        var wait = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
        while poll(&wait, 1, -1) < 0, errno == EINTR {}
    }
}
