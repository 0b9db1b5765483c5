import BridgeRequests
import JSONScan
import Synchronization
import TinyvexMachine
import TinyvexSync

/// The subagents of a session that are shown with it.
package struct SubagentSelection: Sendable {
    let agent: String
    /// Subagents that the session has announced before this update are not shown.
    let firstSeq: Int64

    package init(agent: String, firstSeq: Int64 = 1) {
        self.agent = agent
        self.firstSeq = firstSeq
    }
}

/// Follows the timelines of the subagents that a session announces, and shows them on the session's output.
///
/// A subagent has a timeline of its own. Live entries of several timelines are shown as they arrive. Stored entries of a
/// subagent are shown after those of its parent that had arrived by then.
final class SubagentTimelines: Sendable {
    private struct State {
        var known: Set<String> = []
        var tasks: [Task<Void, Never>] = []
    }

    /// 64 timelines. Further subagents are only announced, because each timeline is a subscription.
    private static let limit = 64

    private let state = Mutex(State())
    private let client: CommandClient
    private let selection: SubagentSelection
    private let output: AttachOutput
    private let observe: (@Sendable ([TimelineValue]) throws -> Void)?

    init(
        _ client: CommandClient, _ selection: SubagentSelection, _ output: AttachOutput,
        observe: (@Sendable ([TimelineValue]) throws -> Void)?
    ) {
        self.client = client
        self.selection = selection
        self.output = output
        self.observe = observe
    }

    /// Call with pieces that have been shown.
    func follow(announcedIn batch: [StreamPiece]) {
        for (id, entry) in Self.announcements(in: batch) where entry.seq >= selection.firstSeq {
            follow(id, since: entry.time)
        }
    }

    private static func announcements(in batch: [StreamPiece]) -> [(id: String, entry: TimelineValue)] {
        batch.entries.filter { $0.updateKind == "subagent_update" }.compactMap { entry in
            entry.update?["sessionId"]?.stringValue.map { ($0, entry) }
        }
    }

    /// Returns when the stored entries of all subagents have been shown.
    func finish() async {
        while let task = state.withLock({ $0.tasks.popLast() }) { await task.value }
    }

    func cancel() {
        let tasks = state.withLock { state in
            defer { state.tasks = [] }
            return state.tasks
        }
        for task in tasks { task.cancel() }
    }

    /// - Parameter time: Milliseconds since 1970. Earlier entries belong to a part of the session that is not shown.
    private func follow(_ subagent: String, since time: Int64) {
        state.withLock { state in
            guard state.known.count < Self.limit, state.known.insert(subagent).inserted else { return }
            state.tasks.append(
                Task(executorPreference: client.loop) { [self] in try? await show(subagent, since: time) })
        }
    }

    private func show(_ subagent: String, since time: Int64) async throws {
        let params = JSONWriter.object { writer in
            writer.member("agent", selection.agent)
            writer.member("sessionId", subagent)
        }
        var place = Place()
        var pieces = client.sync.stream(.timeline, params: params, from: .after(0)).makeAsyncIterator()
        while let batch = try await pieces.nextAll() {
            let isLast = place.advance(batch)
            try output.show(subagent: batch, since: time)
            if let observe { try observe(batch.entries.filter { $0.isOfSubagent(since: time) }) }
            for (id, entry) in Self.announcements(in: batch) { follow(id, since: entry.time) }
            if isLast || (!output.follows && place.isCaughtUp) { return }
        }
    }

    /// The part of a timeline that has arrived.
    private struct Place {
        private var position: Int64 = 0
        private var head = Int64.max

        var isCaughtUp: Bool { position >= head }

        /// - Returns: True at the end of the timeline.
        mutating func advance(_ batch: [StreamPiece]) -> Bool {
            for piece in batch {
                switch piece {
                case .opened(let opening): (position, head) = (opening.nextSeq - 1, opening.headSeq)
                case .lines(let run): position = run.firstSeq + Int64(run.count) - 1
                case .skipped(_, let to, _): position = to
                case .restarted(let next): position = next - 1
                case .notice: break
                case .ended: return true
                }
            }
            return false
        }
    }
}
