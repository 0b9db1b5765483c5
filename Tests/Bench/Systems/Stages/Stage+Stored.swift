import BenchMeasuring
import EventLoop
import Glibc
import Posix

extension Stage {
    /// The editor does not wait for the log, so at the end of a turn not all of its updates are stored yet.
    package func waitUntilStored(_ lines: Int, sessions: Int) throws {
        let client = try BlockingClient(daemon)
        let deadline = Instant.now + RunningProgram.patience
        while try Self.storedUpdates(client, sessions) < lines {
            guard Instant.now < deadline else { throw BenchFailure("not all updates were stored in time") }
            // Each question costs the program about as much as 100 updates, so it is asked seldom.
            usleep(10_000)
        }
    }

    private static func storedUpdates(_ client: BlockingClient, _ count: Int) throws -> Int {
        let sessions = try client.call("tinyvex/history.recentSessions") { $0.member("limit", count) }
        return sessions.elements.reduce(0) { $0 + Int($1["updateCount"]?.int64Value ?? 0) }
    }
}
