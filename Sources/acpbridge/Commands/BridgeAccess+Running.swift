import Bridge
import EventLoop
import Glibc
import JSONScan

/// Asking a bridge that can be replaced, stopped or started at the same moment.
///
/// A bridge that is replaced drops the connections that it has not answered yet, and one that starts or stops takes none.
/// Each of them holds its home's lock meanwhile.
extension BridgeAccess {
    private static let retryMilliseconds: Int32 = 20

    /// The status of the bridge; nil if none runs on the user's own home.
    func runningBridge(until deadline: Instant) throws -> JSONValue? {
        while true {
            do {
                return try ask(until: deadline) { try await $0.value("bridge:status") }
            } catch let failure as BridgeFailure where isOwn && failure.isUnreachable {
                guard isLockHeld else { return nil }
                try pause(before: deadline, failure)
            } catch let failure as BridgeFailure where failure.isEndOfConnection {
                try pause(before: deadline, failure)
            }
        }
    }

    /// Has the bridge do something that ends its connections, and returns the status that the bridge which agreed had
    /// before. Nil if none runs any more.
    ///
    /// A connection can end unanswered because another command replaced the bridge. Its successor is asked then.
    func act(
        _ name: String, args: [UInt8] = Array("{}".utf8), on status: JSONValue, until deadline: Instant
    ) throws -> JSONValue? {
        var status = status
        while true {
            do {
                _ = try ask(until: deadline) { try await $0.action(name, args: args) }
                return status
            } catch let failure as BridgeFailure where !isOwn && failure.isEndOfConnection {
                return status
            } catch let failure as BridgeFailure where failure.isUnreachable || failure.isEndOfConnection {
                try pause(before: deadline, failure)
                // Another process is another bridge, which was not to do this.
                guard let next = try runningBridge(until: deadline), Self.process(next) == Self.process(status) else {
                    return nil
                }
                status = next
            }
        }
    }

    private static func process(_ status: JSONValue) -> Int64? { status["pid"]?.int64Value }

    private var isLockHeld: Bool {
        do throws(FileLock.Failure) {
            try FileLock(path: machine.home.daemonLock).release()
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
