import BridgeRequests
import CShims
import CommandContext
import Glibc
import Invocations
import JSONScan
import Posix
import TerminalIO
import TerminalText

/// `acpbridge stop`: ends the bridge and its agents, or one agent, and returns when that process has ended.
package struct StopCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    /// Returns the exit status: 1 if the person did not confirm.
    package func run(_ options: StopOptions) throws -> Int32 {
        let access = try BridgeAccess(options.connection, context: context)
        let isOwn = options.connection.url == nil
        do {
            if let pid = options.agentPid {
                try Waiting.show("Stopping the agent") {
                    try access.withClient { try await Self.stopAgent(pid: pid, $0) }
                }
            } else if let session = options.session, options.only {
                try Waiting.show("Ending the session") {
                    try access.withClient { try await Self.closeSession(session, $0) }
                }
            } else if let session = options.session {
                try Waiting.show("Stopping the agent") {
                    try access.withClient { try await Self.stopAgent(of: session, $0) }
                }
            } else {
                return try stopBridge(access, isOwn: isOwn, asks: !options.yes)
            }
        } catch let failure as BridgeFailure where failure.isUnreachable && isOwn {
            return Self.reportNoBridge()
        }
        return 0
    }

    /// Time limit for the answer, and for the end of a bridge on another machine. A bridge takes 10 s to end its agents; then
    /// it stores the rest, which takes as long as the disk needs.
    private static let timeLimit = ProcessProgress.patience
    private static let retryMilliseconds: Int32 = 20

    /// Returns the exit status when the bridge has ended.
    private func stopBridge(_ access: BridgeAccess, isOwn: Bool, asks: Bool) throws -> Int32 {
        let activity: TerminalText = "Stopping the bridge and its agents"
        let running = try Waiting.show(activity) { try access.runningBridge(until: .now + Self.timeLimit) }
        guard var running else { return Self.reportNoBridge() }
        if asks, Console.canAsk, let question = RunningWork(running).question {
            guard Console.confirms(question) else {
                Console.report("Nothing was stopped.")
                return 1
            }
            // The bridge can be another one by now.
            let now = try Waiting.show(activity) { try access.runningBridge(until: .now + Self.timeLimit) }
            guard let now else { return Self.reportNoBridge() }
            running = now
        }
        let status = running
        try Waiting.show(activity) { try stop(status, access, isOwn: isOwn) }
        Console.report(RunningWork(status).farewell)
        return 0
    }

    private static func reportNoBridge() -> Int32 {
        Console.report("No bridge is running.")
        return 0
    }

    /// Returns when the bridge has ended. Waits for as long as the bridge makes progress.
    private func stop(_ first: JSONValue, _ access: BridgeAccess, isOwn: Bool) throws {
        let deadline = Instant.now + Self.timeLimit
        let pid = first["pid"]?.int64Value
        let daemon = isOwn ? pid.flatMap { DaemonProcess(pid: $0) } : nil
        let status = try access.act("bridge:stop", on: first, until: deadline)
        let seconds = Self.timeLimit.components.seconds
        if let daemon {
            guard !daemon.waitForEnd() else { return Self.reportLoss(first) }
            let fact = daemon.figures.waitingForDisk.map { "its thread \($0) waits for the disk" } ?? "kill it"
            let bridge = "the bridge (process \(daemon.pid))"
            throw Failure(message: "\(bridge) has not ended, and has done nothing for \(seconds) s; \(fact)")
        }
        guard status.map({ Self.waitForEnd(of: $0, access, deadline) }) ?? true else {
            throw Failure(message: "the bridge has not ended in \(seconds) s; kill it")
        }
        Self.reportLoss(first)
    }

    /// - Parameter status: The status of the bridge before it was stopped.
    private static func reportLoss(_ status: JSONValue) {
        guard let error = status["logError"]?.stringValue else { return }
        Console.report("acpbridge: the log could not be written, so the newest updates can be lost: \(error)")
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

    private static func closeSession(_ name: String, _ client: CommandClient) async throws {
        let session = try await client.runningSession(name)
        _ = try await client.action("sessions:close", args: session.arguments())
        Console.report("Session \(Table.cell(session.id)) of \(Table.cell(session.agent)) has ended.")
    }

    /// Returns when the session has ended, or its agent if the log cannot store the session's end. An agent has 5 s to end.
    private static func stopAgent(of name: String, _ client: CommandClient) async throws {
        let session = try await client.runningSession(name)
        let isStored = !session.journal.isEmpty
        var pieces = client.sync.stream(.sessionUpdates, params: session.params, from: .now).makeAsyncIterator()
        let agent = try await client.action("agents:stop", args: session.arguments())
        let pid = agent?["pid"]?.int64Value ?? 0
        let name = Table.cell(session.agent)
        while isStored, let piece = try await pieces.next() {
            if case .ended = piece { return Console.report("\(name) (process \(pid)) has ended.") }
            if piece.isStorageFailure { break }
        }
        try await waitForEnd(ofAgent: pid, client)
        Console.report(
            "\(name) (process \(pid)) has ended; its last updates are not stored yet, see `acpbridge status`")
    }

    /// Returns when the agent has ended.
    private static func stopAgent(pid: Int64, _ client: CommandClient) async throws {
        guard try await isRunning(pid, client) else {
            throw Failure(
                message: "no agent of the bridge has the process id \(pid); `acpbridge agents --running` lists them")
        }
        let agent = try await client.action("agents:stop", args: JSONWriter.object { $0.member("pid", pid) })
        try await waitForEnd(ofAgent: pid, client)
        Console.report("\(Table.cell(agent?["agent"]?.stringValue ?? "agent")) (process \(pid)) has ended.")
    }

    private static func waitForEnd(ofAgent pid: Int64, _ client: CommandClient) async throws {
        while try await isRunning(pid, client) { await client.loop.sleep(until: Instant.now + .milliseconds(100)) }
    }

    /// True if the bridge lists an agent with this process id.
    private static func isRunning(_ pid: Int64, _ client: CommandClient) async throws -> Bool {
        var isFound = false
        try await client.eachRunningAgent { agent in
            isFound = agent["pid"]?.int64Value == pid
            return !isFound
        }
        return isFound
    }
}

/// Identifies one daemon process, because another daemon can start before this one has ended.
private struct DaemonProcess: ~Copyable {
    let pid: pid_t
    private let descriptor: Descriptor

    init?(pid: Int64) {
        self.pid = pid_t(truncatingIfNeeded: pid)
        let fd = cshims_pidfd_open(self.pid)
        guard fd >= 0 else { return nil }
        descriptor = Descriptor(owning: fd)
    }

    var figures: OtherProcess { OtherProcess(pid: pid) }

    /// The time between two looks at the process's figures.
    private static let lookMilliseconds: Int32 = 500

    /// Returns false if the process has not ended and makes no progress.
    func waitForEnd() -> Bool {
        var wait = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
        var progress = ProcessProgress(at: .now)
        while progress.noted(figures.work, at: .now) {
            let count = poll(&wait, 1, Self.lookMilliseconds)
            if count > 0 { return true }
            guard count == 0 || errno == EINTR else { return false }
        }
        return false
    }
}
