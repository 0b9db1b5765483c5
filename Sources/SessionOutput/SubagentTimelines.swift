import BridgeRequests
import JSONScan
import Synchronization
import TinyvexMachine
import TinyvexSync

/// Follows the timelines of the subagents that a session announces, and shows them on the session's output.
///
/// A subagent has a timeline of its own. Live entries of several timelines are shown as they arrive. Stored entries of a
/// subagent are shown after those of its parent that had arrived by then.
final class SubagentTimelines: Sendable {
    private struct State {
        var starts: SubagentStarts
        var known: Set<String> = []
        var tasks: [Task<Void, Never>] = []
    }

    /// 64 timelines. Further subagents are only announced, because each timeline is a subscription.
    private static let limit = 64

    private let state: Mutex<State>
    private let client: CommandClient
    private let agent: String
    private let output: AttachOutput
    private let observe: (@Sendable ([TimelineValue]) throws -> Void)?

    init(
        _ client: CommandClient, _ selection: SubagentSelection, _ output: AttachOutput,
        observe: (@Sendable ([TimelineValue]) throws -> Void)?
    ) {
        state = Mutex(State(starts: SubagentStarts(firstSeq: selection.firstSeq)))
        self.client = client
        agent = selection.agent
        self.output = output
        self.observe = observe
    }

    /// Call with entries that have been shown.
    func follow(announcedIn entries: [TimelineValue]) {
        let isCaughtUp = output.isCaughtUp
        state.withLock { state in
            for entry in entries { follow(state.starts.note(entry), &state) }
            if isCaughtUp { follow(state.starts.caughtUp(), &state) }
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

    private func follow(_ starts: [SubagentStarts.Start], _ state: inout State) {
        for start in starts {
            guard state.known.count < Self.limit, state.known.insert(start.id).inserted else { continue }
            state.tasks.append(
                Task(executorPreference: client.loop) { [self] in try? await show(start.id, start.part) })
        }
    }

    private func show(_ subagent: String, _ part: SubagentPart) async throws {
        let params = JSONWriter.object { writer in
            writer.member("agent", agent)
            writer.member("sessionId", subagent)
        }
        // Subagents of a subagent are shown from their announcements on.
        var starts = SubagentStarts(firstSeq: 1)
        var place = Place()
        var pieces = client.sync.stream(.timeline, params: params, from: .after(0)).makeAsyncIterator()
        while let batch = try await pieces.nextAll() {
            let isLast = place.advance(batch)
            try output.show(subagent: batch, part)
            let entries = batch.entries.filter { $0.isOfSubagent(since: part.announced) }
            if let observe { try observe(entries) }
            state.withLock { state in
                for entry in entries { follow(starts.note(entry).map { $0.shown(since: part.shown) }, &state) }
            }
            if isLast || (!output.follows && place.isCaughtUp) { return try output.end(subagent: subagent) }
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
