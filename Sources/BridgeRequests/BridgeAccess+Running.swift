import CommandContext
import Glibc
import JSONScan
import Posix
import TerminalIO
import TerminalText

/// Sends requests to a bridge that another command can replace, stop or start at the same time.
///
/// A bridge that is being replaced drops the connections that it has not answered yet. A bridge that is starting or
/// stopping accepts no connections. In all three cases the bridge holds its home's lock meanwhile.
extension BridgeAccess {
    private static let retryMilliseconds: Int32 = 20

    /// No bridge answered while the session was looked up.
    private struct NoBridge: Error { let failure: BridgeFailure }

    /// Runs `body` with a session whose agent runs, and with the client that found it; see
    /// ``CommandClient/runningSession(_:)``. Starts no bridge: without the user's own bridge, no session is running.
    ///
    /// - Parameter signals: Those that end the look-up of the session, if they do not have their usual effects.
    package func withRunningSession<Value: Sendable>(
        _ name: String, _ signals: Interruptions? = nil,
        _ body: @escaping @Sendable (CommandClient, ListedSession) async throws -> Value
    ) throws -> Value {
        do {
            return try withClient { client in
                guard let signals else { return try await body(client, Self.runningSession(name, client)) }
                let session = try await signals.unlessInterrupted(client.loop) {
                    try await Self.runningSession(name, client)
                }
                return try await body(client, session)
            }
        } catch let error as NoBridge {
            guard hasNoBridge(error.failure) else { throw error.failure }
            throw Failure.noSessionRuns(named: name)
        }
    }

    private static func runningSession(_ name: String, _ client: CommandClient) async throws -> ListedSession {
        do {
            return try await client.runningSession(name)
        } catch let failure as BridgeFailure where failure.isUnreachable {
            throw NoBridge(failure: failure)
        }
    }

    /// The status of the bridge; nil if none runs in the user's own home.
    package func runningBridge(until deadline: Instant) throws -> JSONValue? {
        while true {
            do {
                return try withClient(until: deadline) { try await $0.value("bridge:status") }
            } catch let failure as BridgeFailure where isOwn && failure.isUnreachable {
                guard isLockHeld else { return nil }
                try pause(before: deadline, failure)
            } catch let failure as BridgeFailure where failure.isEndOfConnection {
                try pause(before: deadline, failure)
            } catch is BridgeEnded {
                return nil
            }
        }
    }

    /// Sends an action that makes the bridge end its connections. Returns the earlier status of the bridge that
    /// accepted the action, or nil if no bridge runs.
    ///
    /// A connection can end unanswered because another command replaced the bridge. The action then goes to the
    /// successor.
    package func act(
        _ name: String, args: [UInt8] = Array("{}".utf8), on status: JSONValue, until deadline: Instant
    ) throws -> JSONValue? {
        var status = status
        while true {
            do {
                _ = try withClient(until: deadline) { try await $0.action(name, args: args) }
                return status
            } catch let failure as BridgeFailure where !isOwn && failure.isEndOfConnection {
                return status
            } catch let failure as BridgeFailure where failure.isUnreachable || failure.isEndOfConnection {
                try pause(before: deadline, failure)
                // A different process is a different bridge, for which this action was not meant.
                guard let next = try runningBridge(until: deadline), Self.process(next) == Self.process(status) else {
                    return nil
                }
                status = next
            }
        }
    }

    private static func process(_ status: JSONValue) -> Int64? { status["pid"]?.int64Value }

    /// Whether the failure means that the user's own bridge does not run, so that none of its agents does.
    package func hasNoBridge(_ failure: BridgeFailure) -> Bool { isOwn && failure.isUnreachable && !isLockHeld }

    /// A bridge that starts, runs, stops or is being replaced holds the lock.
    var isLockHeld: Bool {
        guard let home = try? context.home else { return false }
        do throws(FileLock.Failure) {
            try FileLock(path: home.daemonLock).release()
            return false
        } catch {
            if case .held = error { return true }
            return false
        }
    }

    private func pause(before deadline: Instant, _ failure: BridgeFailure) throws(BridgeFailure) {
        guard Instant.now < deadline else { throw failure }
        poll(nil, 0, Self.retryMilliseconds)
    }
}

extension Failure {
    /// - Parameter name: The name that the user gave.
    static func noSessionRuns(named name: String) -> Failure {
        let hint: TerminalText =
            name == "latest"
            ? "`acpbridge run --agent NAME` begins one, and so does an editor"
            : "`acpbridge run --resume SESSION` continues one that has ended"
        return Failure(message: "no session is running; \(hint)", status: unknownSession)
    }
}
