import JSONScan
import TinyvexMachine
import TinyvexSync

/// The lists of running sessions as the bridge sends them: the present one, and another after each change.
package struct RunningLists {
    /// The sessions that were active last, at most 200.
    package struct List: Sendable {
        /// With subagents, and without archived ones. One that has just ended can be among them.
        package let sessions: [ListedSession]
        /// No running session is missing.
        package let isWhole: Bool
    }

    private let client: CommandClient
    private var values: StreamValues.AsyncIterator

    package init(_ client: CommandClient) {
        self.client = client
        let params = JSONWriter.object { writer in
            writer.member("limit", 200)
            writer.member("live", true)
        }
        values = client.sync.values("sessions:list", params: params).makeAsyncIterator()
    }

    /// Returns nil when the client is closed, or the task is cancelled.
    package mutating func next() async throws(BridgeFailure) -> List? {
        do throws(TinyvexError) {
            guard let value = try await values.next() else { return nil }
            let list = try? JSONValue(validating: value.text)
            return List(
                sessions: (list?["data"]?.elements ?? []).compactMap(ListedSession.init).namingIncarnations,
                isWhole: list.map { $0["nextCursor"] == nil } ?? false)
        } catch {
            throw client.failure(error)
        }
    }
}
