import Posix
import Synchronization
import TinyvexMachine
import TinyvexSync
import TinyvexTransport

/// Decides whether the user's own bridge has ended, after a connection to it was lost. Pure.
///
/// A bridge that runs, starts, stops or is being replaced holds its home's lock. If a service manager listens on the
/// socket, connections do not fail while it starts the bridge again.
struct MissingBridge {
    /// 2 s. A bridge that is started again by then is the bridge that the command continues with.
    static let limit = Duration.seconds(2)

    private var missing: Instant?

    /// Returns true if the bridge has ended.
    ///
    /// - Parameter isLockHeld: Called only if the bridge has been missing for the limit, because the check takes the lock.
    mutating func check(_ state: ConnectionState, at now: Instant, isLockHeld: () -> Bool) -> Bool {
        switch state {
        case .waiting(_, .unreachable): break
        // The attempt has no outcome yet.
        case .connecting where missing != nil: return false
        default:
            missing = nil
            return false
        }
        let begin = missing ?? now
        missing = begin
        guard now >= begin + Self.limit else { return false }
        guard isLockHeld() else { return true }
        missing = nil
        return false
    }
}

/// The user's own bridge has ended without closing its connections, and a command still needs it.
package struct BridgeEnded: Error, CustomStringConvertible {
    /// The name of the session that the command is about.
    let session: String?

    package var description: String {
        let next =
            session.map { "`acpbridge run --resume \($0)` continues the session" }
            ?? "`acpbridge sessions --all` lists the sessions, and `acpbridge run --resume SESSION` continues one"
        return "the bridge has ended, and with it its agents and their turns; \(next)"
    }
}

/// The parts of a command that a check for the end of the bridge needs. Both parts change while the command runs.
final class BridgeWatch: Sendable {
    private struct State {
        var connection: SyncClient
        var session: String?
    }

    private let state: Mutex<State>

    init(_ connection: SyncClient) { state = Mutex(State(connection: connection)) }

    /// The connection that the command uses now.
    var connection: SyncClient {
        get { state.withLock { $0.connection } }
        set { state.withLock { $0.connection = newValue } }
    }

    /// The name of the session that the command is about; nil if it is about none.
    var session: String? {
        get { state.withLock { $0.session } }
        set { state.withLock { $0.session = newValue } }
    }
}

extension CommandClient {
    /// The time between two checks of a bridge that cannot be reached.
    private static let checkInterval = Duration.milliseconds(200)

    /// Throws ``BridgeEnded`` if the bridge has ended. Returns when the command's last connection is closed.
    ///
    /// - Parameter isLockHeld: Whether a process holds the lock of the bridge's home.
    func watchBridge(isLockHeld: () -> Bool) async throws {
        var watched: SyncClient
        repeat {
            watched = watch.connection
            try await watchBridge(over: watched, isLockHeld: isLockHeld)
        } while watch.connection !== watched
    }

    private func watchBridge(over sync: SyncClient, isLockHeld: () -> Bool) async throws {
        for await state in sync.connectionStates() {
            guard case .waiting = state else { continue }
            var missing = MissingBridge()
            while !Task.isCancelled, sync.connectionState.isUnconnected {
                let hasEnded = missing.check(sync.connectionState, at: .now, isLockHeld: isLockHeld)
                if hasEnded { throw BridgeEnded(session: watch.session) }
                await loop.sleep(until: Instant.now + Self.checkInterval)
            }
        }
    }
}

extension ConnectionState {
    fileprivate var isUnconnected: Bool {
        switch self {
        case .waiting, .connecting: true
        default: false
        }
    }
}
