import BridgeRequests
import Invocations
import JSONScan
import Posix
import Tinyvex

extension CommandClient {
    /// The options for one session, with the number of its first update within the time of `--since`.
    package func placed(_ options: AttachOptions, in session: ListedSession) async throws -> AttachOptions {
        guard let since = options.since else { return options }
        let start = wallClockMilliseconds() - since.wholeMilliseconds
        let page = try await call("tinyvex/history.sessionUpdates") { writer in
            session.writeIncarnation(to: &writer)
            writer.member("limit", 1)
            writer.member("sinceTs", max(0, start))
        }
        var placed = options
        placed.since = nil
        // Without such an update, the next one is the first.
        placed.from = .number(page["updates"]?.elements.first?["seq"]?.int64Value ?? session.updateCount + 1)
        return placed
    }
}
