import BridgeRequests
import JSONScan
import Synchronization
import TinyvexMachine
import TinyvexSync

/// The requests that wait for an answer, as the bridge lists them, and their changes.
final class WaitingRequests: Sendable {
    private static let lists = ["permissions:pending", "elicitations:pending"]

    private let rows = Mutex<[String: [JSONValue]]>([:])
    private let client: CommandClient
    /// Until the lists have come.
    private let initial: PendingCounts

    init(_ client: CommandClient, initial: PendingCounts = PendingCounts()) {
        (self.client, self.initial) = (client, initial)
    }

    var counts: PendingCounts {
        let rows = rows.withLock { $0 }
        return rows.isEmpty ? initial : PendingCounts(rows: rows.values.flatMap(\.self))
    }

    /// Calls `changed` with each new list. Returns when the client is closed, or the task is cancelled.
    func follow(_ changed: @escaping @Sendable () -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for name in Self.lists {
                group.addTask {
                    await self.client.eachValue(name) { value in
                        self.rows.withLock { $0[name] = value.elements }
                        changed()
                    }
                }
            }
        }
    }
}

extension CommandClient {
    /// Passes the present value and its changes to `body`. An error ends them: an older bridge does not have all queries, and the
    /// session's own stream reports a lost connection.
    fileprivate func eachValue(_ name: String, _ body: (JSONValue) -> Void) async {
        var values = sync.values(name, params: JSONWriter.object { _ in }).makeAsyncIterator()
        while let value = try? await values.next() {
            if let json = try? JSONValue(validating: value.text) { body(json) }
        }
    }
}
