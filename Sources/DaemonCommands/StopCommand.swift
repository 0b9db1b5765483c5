import BridgeRequests
import CLI
import CShims
import CommandContext
import Glibc
import JSONScan
import Posix
import TerminalIO

/// `acpbridge stop`: ends the bridge and its agents, or one agent, and returns when that process has ended.
package struct StopCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: StopOptions) throws {
        let access = try BridgeAccess(options.connection, context: context)
        let isOwn = options.connection.url == nil
        do {
            if let session = options.session {
                return try Waiting.show("Stopping the agent") {
                    try access.withClient { try await Self.stopAgent(of: session, $0) }
                }
            }
            try Waiting.show("Stopping the bridge and its agents") { try stopBridge(access, isOwn: isOwn) }
        } catch let failure as BridgeFailure where failure.isUnreachable && isOwn {
            Console.report("No bridge is running.")
        }
    }

    /// Time limit for the bridge's end. The bridge guarantees to end its agents and store the rest within 10 s.
    private static let timeLimit = Duration.seconds(20)
    private static let retryMilliseconds: Int32 = 20

    /// Returns when the bridge has ended.
    private func stopBridge(_ access: BridgeAccess, isOwn: Bool) throws {
        let deadline = Instant.now + Self.timeLimit
        guard let first = try access.runningBridge(until: deadline) else {
            return Console.report("No bridge is running.")
        }
        let pid = first["pid"]?.int64Value
        let daemon = isOwn ? pid.flatMap { DaemonProcess(pid: $0) } : nil
        let status = try access.act("bridge:stop", on: first, until: deadline)
        let hasEnded =
            daemon?.waitForEnd(until: deadline) ?? status.map { Self.waitForEnd(of: $0, access, deadline) } ?? true
        guard hasEnded else {
            let process = pid.map { " (process \($0))" } ?? ""
            throw Failure(
                message: "the bridge\(process) has not ended in \(Self.timeLimit.components.seconds) s; kill it")
        }
    }

    /// Returns false if the bridge that reported this status still answers at the deadline. The bridge can be on
    /// another machine, where another bridge can start immediately afterwards.
    private static func waitForEnd(of status: JSONValue, _ access: BridgeAccess, _ deadline: Instant) -> Bool {
        while Instant.now < deadline {
            do {
                let now = try access.withClient(until: deadline) { try await $0.value("bridge:status") }
                if now["startedTs"]?.int64Value != status["startedTs"]?.int64Value { return true }
            } catch {
                return (error as? BridgeFailure)?.isTimeout != true
            }
            poll(nil, 0, retryMilliseconds)
        }
        return false
    }

    /// Returns when the session has ended. An agent has 5 s to end.
    private static func stopAgent(of name: String, _ client: CommandClient) async throws {
        let session = try await client.runningSession(name)
        var pieces = client.sync.stream(.sessionUpdates, params: session.params, from: .now).makeAsyncIterator()
        let agent = try await client.action("agents:stop", args: session.arguments())
        while let piece = try await pieces.next() {
            guard case .ended = piece else { continue }
            let pid = agent?["pid"]?.rawString ?? ""
            return Console.report("\(Table.cell(session.agent)) (process \(pid)) has ended.")
        }
    }
}

/// Identifies one daemon process, because another daemon can start before this one has ended.
private struct DaemonProcess: ~Copyable {
    private let descriptor: Descriptor

    init?(pid: Int64) {
        let fd = cshims_pidfd_open(pid_t(truncatingIfNeeded: pid))
        guard fd >= 0 else { return nil }
        descriptor = Descriptor(owning: fd)
    }

    /// Returns false if the process has not ended by the deadline.
    func waitForEnd(until deadline: Instant) -> Bool {
        var wait = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
        while true {
            let milliseconds = max(0, (deadline - .now).nanoseconds / 1_000_000 + 1)
            let count = poll(&wait, 1, Int32(clamping: milliseconds))
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }
}
